import type { ServiceImpl } from '@connectrpc/connect';
import type { AudienceService } from '../../gen/laurel/v1/audience_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { assignAccounts } from './assign-accounts.ts';
import { removeAccounts } from './remove-accounts.ts';

/** Membership of audiences. */
export function audiencesService(db: Database, clock: Clock) {
  return {
    assignAccounts: (request, context) => assignAccounts(db, principalOf(context), request, clock),
    removeAccounts: (request, context) => removeAccounts(db, principalOf(context), request, clock),
  } satisfies ServiceImpl<typeof AudienceService>;
}
