import type { ChestService } from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { listChests } from './list-chests.ts';
import { listFragments } from '../fragments/list-fragments.ts';
import { openChest } from './open-chest.ts';

/** An account's chests and fragments. */
export const chestService = { listChests, openChest, listFragments } satisfies Handlers<typeof ChestService>;
