import type { ChestService } from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { listFragments } from '../fragments/list-fragments.ts';
import { getChestDefinitionOdds, type OfferedRewards } from './get-chest-definition-odds.ts';
import { getChestOdds } from './get-chest-odds.ts';
import { listChests } from './list-chests.ts';
import { openChest } from './open-chest.ts';
import type { ChestBatcher } from './open-chests.ts';

/**
 * The operations on an account's chests and fragments.
 * @param offeredRewards the rewards that can be won, from the module of the campaigns
 */
export function chestService(openings: ChestBatcher, offeredRewards: OfferedRewards) {
  return {
    listChests,
    openChest: (call, request) => openChest(call, request, openings),
    listFragments,
    getChestOdds,
    getChestDefinitionOdds: (call, request) => getChestDefinitionOdds(call, request, offeredRewards),
  } satisfies Handlers<typeof ChestService>;
}
