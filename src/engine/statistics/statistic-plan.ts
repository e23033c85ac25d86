import { type Amount, ONE } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { Decision } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { EventExpression, JudgedAccount } from '../missions/event-expression.ts';
import type { Calendar } from '../time/calendar.ts';
import { type PeriodSpan, type StatisticPeriod, statisticPeriodAt } from './statistic-period.ts';
import { aggregations, type StatisticEffect } from './statistic-value.ts';
import type { ReadStatistic } from './statistic-values.ts';

/** A compiled statistic. */
export type StatisticPlan = ReadStatistic & {
  /** The condition that its events fulfil; undefined for all events of the code. */
  readonly condition: EventExpression | undefined;
  /** Whether it also counts events from before its creation, which the journal does not show. */
  readonly countsPastEvents: boolean;
};

/** The periods of instants. The last two are kept: levels read the current period and the one before it by turns. */
export function periodsOf(unit: StatisticPeriod, calendar: Calendar): (instant: Timestamp) => PeriodSpan {
  let last = statisticPeriodAt(unit, calendar, 0);
  let other = last;
  return (instant) => {
    if (isIn(last, instant)) return last;
    const found = isIn(other, instant) ? other : statisticPeriodAt(unit, calendar, instant);
    other = last;
    last = found;
    return found;
  };
}

function isIn({ from, until }: PeriodSpan, instant: Timestamp): boolean {
  return instant >= from && instant < until;
}

/** The effects of an event on the statistics that count its code. */
export function statisticEffects(
  plans: readonly StatisticPlan[],
  account: JudgedAccount,
  event: GameEvent,
): StatisticEffect[] {
  const effects: StatisticEffect[] = [];
  const { occurredAt } = event;
  for (const { id: statisticId, aggregation, condition, periodAt, dayAt } of plans) {
    if (condition !== undefined && condition.run({ event, account }) !== true) continue;
    const amount = aggregations[aggregation].needsAmounts ? event.amount : ONE;
    const effect = { statisticId, aggregation, period: periodAt(occurredAt).period, amount, occurredAt };
    effects.push(aggregation === 'DAYS' ? { ...effect, day: dayAt(occurredAt) } : effect);
  }
  return effects;
}

/** The effects of an event on the statistics of completed missions: one for each mission, or period of a ROUTINE, that it completes. */
export function missionEffects(
  plans: readonly ReadStatistic[],
  decisions: readonly Decision[],
  occurredAt: Timestamp,
): StatisticEffect[] {
  if (plans.length === 0) return [];
  return decisions.flatMap((decision) => {
    if (decision.kind !== 'completed') return [];
    const { missionId, periodKey } = decision.assignment;
    const amount = BigInt(decision.rounds) * ONE;
    return plans.map(({ id, aggregation, periodAt }): StatisticEffect => {
      const { period } = periodAt(occurredAt);
      return { statisticId: id, aggregation, period, amount, occurredAt, mission: { missionId, periodKey } };
    });
  });
}

/** Points that an account has earned at once: the id is that of the earned reward, or of the entry by which support added them. */
export type EarnedPoints = { readonly earnedId: string; readonly amount: Amount };

/** The effects of earned points on the statistics that count them. @param occurredAt the time of the event that earned them */
export function pointEffects(
  plans: readonly ReadStatistic[],
  earned: readonly EarnedPoints[],
  occurredAt: Timestamp,
): StatisticEffect[] {
  if (plans.length === 0) return [];
  return earned.flatMap(({ earnedId, amount }) =>
    plans.map(({ id, aggregation, periodAt }): StatisticEffect => {
      const { period } = periodAt(occurredAt);
      return { statisticId: id, aggregation, period, amount, occurredAt, earnedId };
    }),
  );
}
