import type { ServiceImpl } from '@connectrpc/connect';
import type { LoyaltyAdminService } from '../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { adjustPoints } from './adjust-points.ts';

type Methods = ServiceImpl<typeof LoyaltyAdminService>;

/** Corrections of points. `cancelRedemption` is handed in, because it gives units of products back. */
export function loyaltyAdminService(db: Database, clock: Clock, cancelRedemption: Methods['cancelRedemption']) {
  return {
    adjustPoints: (request, context) => adjustPoints(db, context, request, clock()),
    cancelRedemption,
  } satisfies Methods;
}
