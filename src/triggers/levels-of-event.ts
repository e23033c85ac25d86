import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import type { LevelTrack } from '../engine/levels/level-track.ts';
import { followsRewards } from '../engine/statistics/statistic-value.ts';
import { nextStepAt } from '../engine/levels/held-level.ts';
import { levelChanged } from '../levels/accounts/announce-levels.ts';
import { type LevelRow, saveLevels } from '../levels/accounts/account-levels.queries.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { isEarned, type RewardOrder } from '../rewards/delivery/earned-reward.ts';
import { toEarnedRewardMessage } from '../rewards/delivery/earned-reward-message.ts';
import { enqueueWebhooks } from '../webhooks/outbox/enqueue-webhooks.ts';
import type { Rewardable, RewardedTrigger } from './batch-trigger.ts';

/** Whether an event decides about a track before its rewards are delivered; one of points is decided afterwards. */
export function isOfEvents({ statistic: { source } }: LevelTrack): boolean {
  return !followsRewards[source];
}

/** The rewards of the levels that an event is the first to reach. */
export function levelOrders(
  catalog: ClientCatalog,
  { account, claim, levels }: Pick<Rewardable, 'account' | 'claim' | 'levels'>,
  now: Date,
): readonly RewardOrder[] {
  if (levels === undefined) return [];
  const origin = { accountId: account.id, operationId: claim?.operationId, now };
  return levels.moves.flatMap(({ track, toPay }) =>
    track.levels
      .filter(({ code }) => toPay.includes(code))
      .flatMap(({ rewardIds }) => rewardIds)
      .flatMap((id) => {
        const reward = catalog.rewards.get(id);
        return reward === undefined ? [] : [{ ...origin, reward, levelTrackId: track.id }];
      }),
  );
}

/** Stores the levels that a batch of events changed, and announces them with their rewards. */
export async function storeLevels(
  uow: UnitOfWork,
  { levelTracks, rewards: definitions }: ClientCatalog,
  rewarded: readonly RewardedTrigger[],
): Promise<void> {
  const rows = new Map<string, LevelRow>();
  for (const { account, levels } of rewarded)
    for (const [trackId, held] of levels.changed) {
      const track = levelTracks.get(trackId)!;
      rows.set(`${account.id} ${trackId}`, {
        accountId: account.id,
        trackId,
        held,
        nextStepAt: nextStepAt(track, held),
      });
    }
  await Promise.all([saveLevels(uow, [...rows.values()]), announceLevels(uow, definitions, rewarded)]);
}

async function announceLevels(
  uow: UnitOfWork,
  definitions: ClientCatalog['rewards'],
  rewarded: readonly RewardedTrigger[],
): Promise<void> {
  await enqueueWebhooks(
    uow,
    rewarded.flatMap(({ account, claim, levels, outcomes }) =>
      levels.moves
        .filter(({ track, previousCode, number }) => track.levels[number - 1]?.code !== previousCode)
        .map((move) => {
          const rewards = outcomes.filter(isEarned).filter(({ levelTrackId }) => levelTrackId === move.track.id);
          return levelChanged(account, move, {
            operationId: claim?.operationId,
            rewards: rewards.map((reward) => {
              const { id: earnedRewardId, rewardId, rewardType, amount, status, codes } = toEarnedRewardMessage(reward);
              const name = definitions.get(reward.rewardId)?.name;
              return { earnedRewardId, rewardId, name, rewardType, amount, status, codes };
            }),
          });
        }),
    ),
  );
}
