import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ChestOddsSchema } from '../../../gen/laurel/v1/chest_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { toRewardMessage } from '../definitions/reward-message.ts';
import { loadRewards } from '../definitions/rewards.queries.ts';
import type { ChestDefinition } from './chest-definitions.queries.ts';

/** The possible contents of a chest definition with their odds, for apps. */
export async function showChestOdds(
  uow: UnitOfWork,
  { id, name, entries, totalWeight }: ChestDefinition,
): Promise<MessageInitShape<typeof ChestOddsSchema>> {
  const rewards = await loadRewards(
    uow,
    entries.map(({ rewardId }) => rewardId),
  );
  const drawn = entries.reduce((sum, { weight }) => sum + weight, 0);
  return {
    chestId: id,
    name,
    prizes: entries.map(({ rewardId, weight, guaranteed }) => {
      const reward = rewards.get(rewardId);
      const probability = guaranteed ? 1 : weight / totalWeight;
      const odds = { guaranteed, weight, probability, percent: percent.format(probability * 100) };
      return { reward: reward && toRewardMessage(reward), ...odds };
    }),
    totalWeight,
    // Without anything to draw, the draw does not bring nothing: there is none.
    nothingPercent: percent.format(drawn === 0 ? 0 : (1 - drawn / totalWeight) * 100),
  };
}

/** Two decimals, as the console shows them, or two digits where that is more: what can be won is never "0". */
const percent = new Intl.NumberFormat('en', {
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
  useGrouping: false,
});
