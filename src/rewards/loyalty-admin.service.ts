import type { ServiceImpl } from '@connectrpc/connect';
import type { LoyaltyAdminService } from '../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import type { Clock } from '../kernel/clock.ts';
import { adjustPoints } from '../loyalty/adjust-points.ts';
import type { Database } from '../persistence/database.ts';
import { cancelRedemption } from './cancel-redemption.ts';

/** Corrections of points. Beside the loyalty service, for the same reason. */
export function loyaltyAdminService(db: Database, clock: Clock) {
  return {
    adjustPoints: (request, context) => adjustPoints(db, context, request, clock()),
    cancelRedemption: (request, context) => cancelRedemption(db, context, request, clock()),
  } satisfies ServiceImpl<typeof LoyaltyAdminService>;
}
