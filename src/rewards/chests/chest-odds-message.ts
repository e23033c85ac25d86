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
    // Without entries to draw, no draw takes place, so the chance of drawing nothing is 0.
    nothingPercent: percent.format(drawn === 0 ? 0 : (1 - drawn / totalWeight) * 100),
  };
}

/** Two decimals, like in the console, or two significant digits if these are more, so that a possible reward never shows "0". */
const percent = new Intl.NumberFormat('en', {
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
  useGrouping: false,
});
