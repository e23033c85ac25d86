import { aggregations, type StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type AccountEffects, combined, mergeValues } from './account-statistics.queries.ts';
import { addToDays, takeFromDays } from './statistic-days.queries.ts';
import { addCompletions } from './statistic-missions.queries.ts';
import {
  entryOfReward,
  type PastEvent,
  settleValues,
  storePastEvents,
  storeStatisticEvents,
  takeStatisticEvents,
} from './statistic-events.queries.ts';

/** The effects of an applied event. */
export type EventEffects = {
  readonly accountId: string;
  readonly effects: readonly StatisticEffect[];
  /** The id of its journal entry; undefined without a journal: then it is never taken back. */
  readonly entryId: string | undefined;
};

/**
 * Moves the statistics by the events of a batch, in their order: one statement for all values, and one more for those of DAYS, of MISSIONS,
 * and of MAX, LAST and POINTS together. The caller has locked the accounts.
 * @returns the effects that values got, for each value in the order of the events: of those of one day, a statistic of DAYS gets the first
 */
export async function moveStatistics(
  uow: UnitOfWork,
  events: readonly EventEffects[],
): Promise<readonly AccountEffects[]> {
  const days = effectsOf(events, ({ aggregation }) => aggregation === 'DAYS');
  const begun = days.length === 0 ? [] : await addToDays(uow, days);
  const others = days.length === 0 ? events : [...events.map(withoutDays), ...begun.map(ofAccount)];
  const kept = effectsOf(events, ({ aggregation }) => !aggregations[aggregation].isAdded).flatMap(
    ({ entryId, ...effect }) => (entryId === undefined ? [] : [{ ...effect, entryId }]),
  );
  const earned = effectsOf(events, ({ earnedId }) => earnedId !== undefined).map((effect) => {
    return { ...effect, entryId: entryOfReward(effect.earnedId!) };
  });
  const missions = effectsOf(events, ({ mission }) => mission !== undefined).map((effect) => {
    return { ...effect, mission: effect.mission! };
  });
  await Promise.all([
    mergeValues(uow, combined(others)),
    storeStatisticEvents(uow, [...kept, ...earned]),
    addCompletions(uow, missions),
  ]);
  return others;
}

/** Some of the effects, each with its account and entry. */
function effectsOf(events: readonly EventEffects[], isWanted: (effect: StatisticEffect) => boolean) {
  return events.flatMap(({ accountId, entryId, effects }) =>
    effects.filter(isWanted).map((effect) => ({ ...effect, accountId, entryId })),
  );
}

function withoutDays({ accountId, effects }: AccountEffects): AccountEffects {
  return { accountId, effects: effects.filter(({ aggregation }) => aggregation !== 'DAYS') };
}

function ofAccount<Effect extends StatisticEffect & { readonly accountId: string }>(effect: Effect): AccountEffects {
  return { accountId: effect.accountId, effects: [effect] };
}

/**
 * Moves one statistic by events from before its creation that it has not counted yet. The caller has locked the accounts.
 * @returns those events
 */
export async function countPast(uow: UnitOfWork, events: readonly PastEvent[]): Promise<readonly PastEvent[]> {
  const counted = await storePastEvents(uow, events);
  const days = await addToDays(
    uow,
    counted.filter(({ aggregation }) => aggregation === 'DAYS'),
  );
  const others = counted.filter(({ aggregation }) => aggregation !== 'DAYS');
  await mergeValues(uow, combined([...days, ...others].map(ofAccount)));
  // Events at one moment: the one that was applied last is LAST, whatever is counted later.
  await settleValues(
    uow,
    counted.filter(({ aggregation }) => aggregation === 'LAST'),
  );
  return counted;
}

/** The effects of an event that is taken back, with negative amounts. */
export type TakenEffects = {
  readonly accountId: string;
  readonly effects: readonly StatisticEffect[];
  readonly entryId: string;
  /** The amount of the event that is left. */
  readonly left: Amount;
};

/** Takes the effects of events back. The number of statements does not grow with them. The caller has locked the accounts. */
export async function takeStatisticsBack(uow: UnitOfWork, events: readonly TakenEffects[]): Promise<void> {
  const effects = events.flatMap(({ accountId, entryId, left, effects: own }) =>
    own.map((effect) => ({ ...effect, accountId, entryId, left })),
  );
  if (effects.length === 0) return;
  const emptied = await takeFromDays(
    uow,
    effects.filter(({ aggregation }) => aggregation === 'DAYS'),
  );
  const added = effects.filter(({ aggregation }) => aggregation !== 'DAYS' && aggregations[aggregation].isAdded);
  await Promise.all([
    mergeValues(uow, combined([...added, ...emptied].map(ofAccount))),
    takeStatisticEvents(
      uow,
      effects.filter(({ aggregation }) => !aggregations[aggregation].isAdded),
    ),
  ]);
}
