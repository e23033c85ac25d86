import type { ServiceImpl } from '@connectrpc/connect';
import type { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { getPoints, type PendingPoints } from '../loyalty/get-points.ts';
import { listPointEntries } from '../loyalty/list-point-entries.ts';
import type { Database } from '../persistence/database.ts';
import { redeemProduct } from './redeem-product.ts';

/** What {@link loyaltyService} is made of. */
export type LoyaltyOptions = {
  readonly db: Database;
  readonly clock?: Clock;
  /** Points that wait for a claim; none by default. */
  readonly pendingPoints?: PendingPoints;
};

/** Points and what they buy. It lies here and not among the points, because buying takes units of products. */
export function loyaltyService({ db, clock = systemClock, pendingPoints = async () => 0n }: LoyaltyOptions) {
  return {
    getPoints: (request, context) => getPoints(db, principalOf(context), request, { now: clock(), pendingPoints }),
    listPointEntries: (request, context) => listPointEntries(db, principalOf(context), request, clock()),
    redeemProduct: (request, context) => redeemProduct(db, context, request, clock()),
  } satisfies ServiceImpl<typeof LoyaltyService>;
}
