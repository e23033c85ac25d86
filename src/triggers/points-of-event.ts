import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { decideLevels, NO_MOVES } from '../engine/levels/account-levels.ts';
import type { LevelTrack } from '../engine/levels/level-track.ts';
import { pointEffects } from '../engine/statistics/statistic-plan.ts';
import type { StatisticEffect } from '../engine/statistics/statistic-value.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { deliverSeparately } from '../rewards/delivery/deliver-rewards.ts';
import { type OrderOutcome, pointsOf } from '../rewards/delivery/earned-reward.ts';
import { type BackfillRewards, deliverAllowed } from './backfill/backfill-rewards.ts';
import type { DecidedTrigger, Rewarded } from './batch-trigger.ts';
import { isOfEvents, levelOrders } from './levels-of-event.ts';

/**
 * Counts the points that the events of a batch have earned, and decides about the levels of points. The rewards of these levels are delivered
 * too. Their points count, and the account's next event decides about the levels that they reach: so no level pays itself in a circle.
 */
export async function countPoints<Item extends DecidedTrigger & Rewarded>(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  rewarded: readonly Item[],
  now: Date,
  allowed: BackfillRewards = 'ALL',
): Promise<readonly Item[]> {
  if (catalog.statistics.ofPoints.length === 0) return rewarded;
  const counted = rewarded.map((item) => withPoints(catalog, item, item.outcomes));
  if (!catalog.levelTracks.values().some(isOfPoints)) return counted;
  const leveled = counted.map((item) => ({
    ...item,
    reached: decideLevels(item.after, item.context.statistics, isOfPoints),
  }));
  const orders = leveled.map(({ reached, ...item }) => levelOrders(catalog, { ...item, levels: reached }, now));
  const accounts = rewarded.map(({ account }) => account);
  const outcomes = orders.every(({ length }) => length === 0)
    ? undefined
    : await deliverAllowed(orders, allowed, (some) => deliverSeparately(uow, some, accounts));
  return leveled.map(({ reached, ...each }, index) => {
    const item = each as unknown as Item;
    if (reached === NO_MOVES) return item;
    const { levels } = item;
    const both = {
      changed: new Map([...levels.changed, ...reached.changed]),
      moves: [...levels.moves, ...reached.moves],
    };
    const paid = outcomes?.[index] ?? [];
    return withPoints(catalog, { ...item, levels: both, outcomes: [...item.outcomes, ...paid] }, paid);
  });
}

function isOfPoints(track: LevelTrack): boolean {
  return !isOfEvents(track);
}

/** The event with the effects of points that it earned. They are recorded for the next event of its account. */
function withPoints<Item extends DecidedTrigger>(
  { statistics: { ofPoints } }: ClientCatalog,
  item: Item,
  outcomes: readonly OrderOutcome[],
): Item {
  const effects: readonly StatisticEffect[] = pointEffects(ofPoints, pointsOf(outcomes), item.event.occurredAt);
  if (effects.length === 0) return item;
  item.after.statistics.record(effects);
  return { ...item, statistics: [...(item.statistics ?? []), ...effects] };
}
