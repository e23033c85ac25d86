import type { ServiceImpl } from '@connectrpc/connect';
import type { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import { getPoints, type PendingPoints } from '../loyalty/get-points.ts';
import { listPointEntries } from '../loyalty/list-point-entries.ts';
import type { Database } from '../persistence/database.ts';
import { redeemProduct } from './redeem-product.ts';

/**
 * Points and what they buy. It lies here and not among the points, because buying takes units of products.
 * @param pendingPoints tells what waits for a claim; nothing by default
 */
export function loyaltyService(db: Database, clock: Clock, pendingPoints: PendingPoints = async () => 0n) {
  return {
    getPoints: (request, context) => getPoints(db, principalOf(context), request, { now: clock(), pendingPoints }),
    listPointEntries: (request, context) => listPointEntries(db, principalOf(context), request, clock()),
    redeemProduct: (request, context) => redeemProduct(db, context, request, clock()),
  } satisfies ServiceImpl<typeof LoyaltyService>;
}
