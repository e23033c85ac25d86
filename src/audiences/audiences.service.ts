import type { AudienceService } from '../../gen/laurel/v1/audience_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { assignAccounts } from './assign-accounts.ts';
import { removeAccounts } from './remove-accounts.ts';

/** Membership of audiences. */
export const audiencesService = {
  assignAccounts,
  removeAccounts,
} satisfies Handlers<typeof AudienceService>;
