import { periodsOf } from '../../src/engine/statistics/statistic-plan.ts';
import type { Aggregation } from '../../src/engine/statistics/statistic-value.ts';
import { calendarOfZone } from '../../src/engine/time/calendar.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { raiseBases, setAddedValues, setOtherValues } from '../../src/statistics/values/account-statistics.queries.ts';
import { fillAgain } from '../../src/leaderboards/definitions/leaderboards.queries.ts';
import {
  beforePast,
  clientsWithPast,
  continuePast,
  endPass,
  lockPastStatistic,
} from '../../src/statistics/definitions/past-events.queries.ts';
import { loadStatisticValues } from '../../src/statistics/values/load-values.ts';
import { countPast, moveStatistics, takeStatisticsBack } from '../../src/statistics/values/move-statistics.ts';
import { removeDeletedValues } from '../../src/statistics/values/remove-values.ts';
import { recountDays } from '../../src/statistics/values/statistic-days.queries.ts';
import { takeCompletions } from '../../src/statistics/values/statistic-missions.queries.ts';
import { giveStatisticEvents, storedEvents, takePoints } from '../../src/statistics/values/statistic-events.queries.ts';

/** Sends the statements of statistics: moves, reversals, corrections, reads and the removal of values, for a client without statistics. */
export async function sendStatistics(db: Database, clientId: string): Promise<void> {
  const accountId = newId();
  const now = new Date();
  const period = periodsOf('DAY', calendarOfZone('UTC'));
  const statistics = (['SUM', 'DAYS', 'MAX', 'LAST'] satisfies Aggregation[]).map((aggregation) => ({
    ...{
      id: newId(),
      code: aggregation,
      source: 'EVENTS' as const,
      aggregation,
      period: 'DAY' as const,
      periodAt: period,
    },
    dayAt: (instant: number) => period(instant).period,
  }));
  const ofPoints = statistics[0]!.id;
  const [rewardId, missionId] = [newId(), newId()];
  const ofSources = [{ earnedId: rewardId }, { mission: { missionId, periodKey: '' } }].map((cause) => ({
    ...{ statisticId: ofPoints, aggregation: 'SUM' as const, period: 0, amount: ONE, occurredAt: now.getTime() },
    ...cause,
  }));
  const effects = statistics.map(({ id: statisticId, aggregation, dayAt }) => ({
    ...{ statisticId, aggregation, period: 0, amount: ONE, occurredAt: now.getTime() },
    day: aggregation === 'DAYS' ? dayAt(now.getTime()) : undefined,
  }));
  const entries = [`${newId()}.0`, `${newId()}.0`] as const;
  const row = { accountId, statisticId: statistics[2]!.id, period: 0, aggregation: 'MAX', value: ONE } as const;
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) =>
      moveStatistics(
        uow,
        entries.map((entryId) => ({ accountId, entryId, effects })),
      ),
    (uow) => moveStatistics(uow, [{ accountId, entryId: undefined, effects: ofSources }]),
    (uow) => takePoints(uow, [{ accountId, earnedRewardId: rewardId, amount: ONE / 2n }]),
    (uow) => takePoints(uow, [{ accountId, earnedRewardId: rewardId, amount: ONE }]),
    (uow) => takeCompletions(uow, [{ accountId, missionId, periodKey: '', rounds: 1 }], [ofPoints]),
    (uow) => loadStatisticValues(uow, statistics, [{ accountId, at: now.getTime() }]),
    (uow) => takeStatisticsBack(uow, [{ accountId, entryId: entries[0], effects: effects.map(taken), left: ONE }]),
    (uow) =>
      takeStatisticsBack(
        uow,
        entries.map((entryId) => ({ accountId, entryId, effects: effects.map(taken), left: 0n })),
      ),
    (uow) => setAddedValues(uow, [{ ...row, statisticId: statistics[0]!.id, aggregation: 'SUM', before: ONE }]),
    (uow) => setOtherValues(uow, [{ ...row, before: undefined }], now),
    (uow) => raiseBases(uow, [row]),
    (uow) => recountDays(uow, accountId),
    (uow) => giveStatisticEvents(uow, { from: accountId, into: newId() }),
    (uow) =>
      uow.query(`insert into deleted_statistic (client_id, statistic_id, deleted_at) values ($1, $2, 'epoch')`, [
        uow.clientId,
        statistics[0]!.id,
      ]),
  ];
  const past = { id: newId(), fillPass: 1 } as const;
  const counting: typeof work = [
    (uow) => beforePast(uow, undefined, now),
    (uow) => lockPastStatistic(uow, now),
    (uow) => countPast(uow, [{ ...row, statisticId: past.id, entryId: entries[0], amount: ONE, occurredAt: 0 }]),
    (uow) => storedEvents(uow, entries),
    (uow) => continuePast(uow, past.id, { recordedAt: now, id: past.id }),
    (uow) => endPass(uow, past, now),
    (uow) => endPass(uow, { ...past, fillPass: 2 }, now),
    (uow) => fillAgain(uow, 'rare', now),
  ];
  for (const send of [...work, ...counting]) await db.unitOfWork(clientId, send);
  await db.systemUnitOfWork((uow) => clientsWithPast(uow, now));
  await removeDeletedValues(db, clientId, now);
}

function taken<Effect extends { readonly amount: bigint }>(effect: Effect): Effect {
  return { ...effect, amount: -effect.amount };
}
