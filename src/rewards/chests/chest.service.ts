import type { ChestService } from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { listFragments } from '../fragments/list-fragments.ts';
import { listChests } from './list-chests.ts';
import { openChest } from './open-chest.ts';
import type { Openings } from './open-chests.ts';

/** An account's chests and fragments. */
export function chestService(openings: Openings) {
  return {
    listChests,
    openChest: (call, request) => openChest(call, request, openings),
    listFragments,
  } satisfies Handlers<typeof ChestService>;
}
