import type { LoyaltyAdminService } from '../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { adjustPoints } from './adjust-points.ts';

type Methods = Handlers<typeof LoyaltyAdminService>;

/** Corrections of points. `cancelRedemption` is an argument, because it returns units of products. */
export function loyaltyAdminService(cancelRedemption: Methods['cancelRedemption']) {
  return {
    adjustPoints,
    cancelRedemption,
  } satisfies Methods;
}
