import type { StreakFreezeService } from '../../../gen/laurel/v1/streak_freeze_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { buyStreakFreezes } from './buy-streak-freezes.ts';
import { listStreakFreezes } from './list-streak-freezes.ts';

/** The streak freezes of accounts. */
export function streakFreezesService(catalogs: Catalogs) {
  return {
    listStreakFreezes: (call, request) => listStreakFreezes(call, request, catalogs),
    buyStreakFreezes: (call, request) => buyStreakFreezes(call, request, catalogs),
  } satisfies Handlers<typeof StreakFreezeService>;
}
