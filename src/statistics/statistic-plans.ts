import type { EventDeclaration } from '../engine/missions/event-expression.ts';
import { storedExpression } from '../engine/missions/event-expression.ts';
import { periodsOf, type StatisticPlan } from '../engine/statistics/statistic-plan.ts';
import { followsRewards, type StatisticSource } from '../engine/statistics/statistic-value.ts';
import type { ReadStatistic } from '../engine/statistics/statistic-values.ts';
import type { Calendar } from '../engine/time/calendar.ts';
import { clientZones } from '../clients/client-zones.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type DefinedStatistic, statisticDefinitions } from './definitions/statistic-definitions.queries.ts';

/** The compiled statistics of a client. */
export type StatisticPlans = {
  readonly byId: ReadonlyMap<string, StatisticPlan>;
  /** The statistics that count the events of each code; no entry for another code. */
  readonly byEventCode: ReadonlyMap<string, readonly StatisticPlan[]>;
  /** The statistics of earned points. */
  readonly ofPoints: readonly StatisticPlan[];
  /** The statistics of completed missions. */
  readonly ofMissions: readonly StatisticPlan[];
};

/** A client without statistics. */
const NO_STATISTICS: StatisticPlans = { byId: new Map(), byEventCode: new Map(), ofPoints: [], ofMissions: [] };

/** A statistic whose values are read. @param calendar the zones of the client */
export function readStatistic(
  {
    id,
    code,
    source,
    aggregation,
    period,
  }: Pick<DefinedStatistic, 'id' | 'code' | 'source' | 'aggregation' | 'period'>,
  calendar: Calendar,
): ReadStatistic {
  const days = periodsOf('DAY', calendar);
  return {
    ...{ id, code, source, aggregation, period },
    periodAt: periodsOf(period, calendar),
    dayAt: (instant) => days(instant).period,
  };
}

/**
 * Compiles the statistics of a client.
 * @param events the declarations of its events, by code
 * @param calendar the zones of the client
 */
export function compileStatistics(
  definitions: readonly DefinedStatistic[],
  events: ReadonlyMap<string, EventDeclaration>,
  calendar: Calendar,
): StatisticPlans {
  if (definitions.length === 0) return NO_STATISTICS;
  const byEventCode = new Map<string, StatisticPlan[]>();
  const byId = new Map<string, StatisticPlan>();
  for (const definition of definitions) {
    const { id, source, programmaticCode, condition, countsPastEvents } = definition;
    if (source !== 'EVENTS') {
      byId.set(id, { ...readStatistic(definition, calendar), condition: undefined, countsPastEvents });
      continue;
    }
    const declaration = events.get(programmaticCode ?? '');
    // The code of a statistic cannot be deleted; it may have been created since the codes were read.
    if (declaration === undefined || programmaticCode === null) continue;
    const expression = condition === null ? undefined : storedExpression(condition, declaration, 'BOOLEAN');
    const plan: StatisticPlan = {
      ...readStatistic(definition, calendar),
      condition: expression,
      countsPastEvents,
    };
    byId.set(id, plan);
    byEventCode.set(programmaticCode, [...(byEventCode.get(programmaticCode) ?? []), plan]);
  }
  const ofSource = (wanted: StatisticSource) => [...byId.values()].filter(({ source }) => source === wanted);
  return { byId, byEventCode, ofPoints: ofSource('POINTS'), ofMissions: ofSource('MISSIONS') };
}

/** The statistics of earned points, for callers without a catalogue. */
export async function pointStatistics(uow: UnitOfWork): Promise<ReadStatistic[]> {
  const definitions = (await statisticDefinitions(uow)).filter(({ source }) => followsRewards[source]);
  if (definitions.length === 0) return [];
  const calendar = await clientZones(uow);
  return definitions.map((definition) => readStatistic(definition, calendar));
}
