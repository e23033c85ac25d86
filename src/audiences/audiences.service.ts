import type { AudienceService } from '../../gen/laurel/v1/audience_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { assignAccounts } from './members/assign-accounts.ts';
import { getAudienceSummary } from './get-audience-summary.ts';
import { listAudienceMemberships } from './members/list-audience-memberships.ts';
import { listAudienceSummaries } from './list-audience-summaries.ts';
import { removeAccounts } from './members/remove-accounts.ts';

/** Audiences as an app sees them, and their membership. */
export const audiencesService = {
  assignAccounts,
  removeAccounts,
  listAudienceSummaries,
  getAudienceSummary,
  listAudienceMemberships,
} satisfies Handlers<typeof AudienceService>;
