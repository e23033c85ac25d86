import type { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { getPoints, type PendingPoints } from './get-points.ts';
import { listPointEntries } from './list-point-entries.ts';

type Methods = Handlers<typeof LoyaltyService>;

/** Functions that modules above provide to the loyalty service. */
export type LoyaltyOptions = {
  /** Takes units of products, which are none of this module's. */
  readonly redeemProduct: Methods['redeemProduct'];
  /** Tell of products, which are none of this module's either. */
  readonly getRedeemableProduct: Methods['getRedeemableProduct'];
  readonly listRedeemableProducts: Methods['listRedeemableProducts'];
  /** Tells what waits for a claim; nothing by default. */
  readonly pendingPoints?: PendingPoints;
};

/** Points and what they buy. */
export function loyaltyService({ pendingPoints = async () => 0n, ...ofProducts }: LoyaltyOptions) {
  return {
    getPoints: (call, request) => getPoints(call, request, pendingPoints),
    listPointEntries,
    ...ofProducts,
  } satisfies Methods;
}
