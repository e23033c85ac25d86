import type { LoyaltyAdminService } from '../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { adjustPoints, type CountEarned } from './adjust-points.ts';

type Methods = Handlers<typeof LoyaltyAdminService>;

/**
 * Corrections of points. `cancelRedemption` is an argument, because it returns units of products; so is `countEarned`, because statistics and
 * leaderboards count earned points.
 */
export function loyaltyAdminService(cancelRedemption: Methods['cancelRedemption'], countEarned: CountEarned) {
  return {
    adjustPoints: (call, request) => adjustPoints(call, request, countEarned),
    cancelRedemption,
  } satisfies Methods;
}
