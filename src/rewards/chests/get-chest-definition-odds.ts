import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetChestDefinitionOddsRequest,
  GetChestDefinitionOddsResponseSchema,
} from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { RewardDefinition } from '../definitions/reward-definition.ts';
import { loadRewards } from '../definitions/rewards.queries.ts';
import { chestDefinitionNotFound, chestDefinitionsById, wasEverWon } from './chest-definitions.queries.ts';
import { showChestOdds } from './chest-odds-message.ts';

/** The rewards that accounts can earn now or could before. */
export type OfferedRewards = (uow: UnitOfWork) => Promise<readonly RewardDefinition[]>;

/** Returns the odds of a chest definition that can be won: proto ChestService.GetChestDefinitionOdds. */
export function getChestDefinitionOdds(
  { db, principal }: Call,
  request: GetChestDefinitionOddsRequest,
  offeredRewards: OfferedRewards,
): Promise<MessageInitShape<typeof GetChestDefinitionOddsResponseSchema>> {
  const id = request.id.toLowerCase();
  return db.read(principal.clientId, async (uow) => {
    const [definition] = await chestDefinitionsById(uow, [id]);
    const isKnown = definition && ((await wasEverWon(uow, id)) || (await isOffered(uow, id, offeredRewards)));
    if (!definition || !isKnown) throw chestDefinitionNotFound(request.id);
    return { odds: await showChestOdds(uow, definition) };
  });
}

/** Whether an offered reward can give the chest, also through other chests. It reads each definition once. */
async function isOffered(uow: UnitOfWork, id: string, offeredRewards: OfferedRewards): Promise<boolean> {
  const seen = new Set<string>();
  let rewards = await offeredRewards(uow);
  for (;;) {
    const brought = new Set(rewards.flatMap(({ chestId }) => chestId ?? []));
    if (brought.has(id)) return true;
    const fresh = [...brought.difference(seen)];
    if (fresh.length === 0) return false;
    for (const each of fresh) seen.add(each);
    const definitions = await chestDefinitionsById(uow, fresh);
    const held = definitions.flatMap(({ entries }) => entries.map(({ rewardId }) => rewardId));
    rewards = [...(await loadRewards(uow, held)).values()];
  }
}
