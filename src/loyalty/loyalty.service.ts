import type { ServiceImpl } from '@connectrpc/connect';
import type { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { getPoints, type PendingPoints } from './get-points.ts';
import { listPointEntries } from './list-point-entries.ts';

type Methods = ServiceImpl<typeof LoyaltyService>;

/** What modules above do for the loyalty service. */
export type LoyaltyOptions = {
  readonly db: Database;
  readonly clock: Clock;
  /** Takes units of products, which are none of this module's. */
  readonly redeemProduct: Methods['redeemProduct'];
  /** Tells what waits for a claim; nothing by default. */
  readonly pendingPoints?: PendingPoints;
};

/** Points and what they buy. */
export function loyaltyService({ db, clock, redeemProduct, pendingPoints = async () => 0n }: LoyaltyOptions) {
  return {
    getPoints: (request, context) => getPoints(db, principalOf(context), request, { now: clock(), pendingPoints }),
    listPointEntries: (request, context) => listPointEntries(db, principalOf(context), request, clock()),
    redeemProduct,
  } satisfies Methods;
}
