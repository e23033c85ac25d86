import type { ServiceImpl } from '@connectrpc/connect';
import type { RedemptionService } from '../../gen/laurel/v1/redemption_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { listRedemptions } from './list-redemptions.ts';

/** What accounts have redeemed. */
export function redemptionService(db: Database) {
  return {
    listRedemptions: (request, context) => listRedemptions(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof RedemptionService>;
}
