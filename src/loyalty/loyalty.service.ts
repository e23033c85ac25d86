import type { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { getPoints, type PendingPoints } from './get-points.ts';
import { listPointEntries } from './list-point-entries.ts';

type Methods = Handlers<typeof LoyaltyService>;

/** Functions that modules above provide to the loyalty service. */
export type LoyaltyOptions = {
  /** Redeems units of products, which belong to another module. */
  readonly redeemProduct: Methods['redeemProduct'];
  /** Operations on products, which belong to another module. */
  readonly getRedeemableProduct: Methods['getRedeemableProduct'];
  readonly listRedeemableProducts: Methods['listRedeemableProducts'];
  /** Computes the unclaimed points; 0 by default. */
  readonly pendingPoints?: PendingPoints;
};

/** The operations on points and their use. */
export function loyaltyService({ pendingPoints = async () => 0n, ...ofProducts }: LoyaltyOptions) {
  return {
    getPoints: (call, request) => getPoints(call, request, pendingPoints),
    listPointEntries,
    ...ofProducts,
  } satisfies Methods;
}
