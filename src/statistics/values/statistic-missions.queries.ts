import type { CompletedMission, StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import { ONE } from '../../kernel/amount.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { keyOf, type StatisticKey } from './account-statistics.queries.ts';

/** The effect of a completed mission. */
export type MissionEffect = StatisticKey & Pick<StatisticEffect, 'amount'> & { readonly mission: CompletedMission };

type Completions = StatisticKey & CompletedMission & { rounds: number };

/** Notes by which missions the values of statistics rise. The caller has locked the accounts. */
export async function addCompletions(uow: UnitOfWork, effects: readonly MissionEffect[]): Promise<void> {
  if (effects.length === 0) return;
  const rows = new Map<string, Completions>();
  for (const { accountId, statisticId, period, mission, amount } of effects) {
    const { missionId, periodKey } = mission;
    const key = { accountId, statisticId, period };
    const row = rows.getOrInsertComputed(`${keyOf(key)} ${missionId} ${periodKey}`, () => ({
      ...{ ...key, missionId, periodKey, rounds: 0 },
    }));
    row.rounds += Number(amount / ONE);
  }
  const sorted = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  await uow.query(
    `insert into account_statistic_mission as s (client_id, account_id, statistic_id, mission_id, period_key, period, rounds)
     select client_row.client_id, r.account_id, r.statistic_id, r.mission_id, r.period_key, r.period, r.rounds
       from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[])
            as r(account_id, statistic_id, mission_id, period_key, period, rounds)
     on conflict (client_id, account_id, statistic_id, mission_id, period_key, period) do update
        set rounds = s.rounds + excluded.rounds`,
    valuesOf(uow, sorted),
  );
}

/** Rounds of a mission that are not completed any more. */
export type LostCompletions = CompletedMission & { readonly accountId: string; readonly rounds: number };

/**
 * Takes lost rounds from the latest periods in which statistics count the mission. Rounds from before a statistic are not counted there, and
 * change nothing. The caller has locked the accounts.
 * @param lost each mission of an account once
 * @returns the effects with negative amounts, each with the index of what was lost
 */
export async function takeCompletions(
  uow: UnitOfWork,
  lost: readonly LostCompletions[],
  statisticIds: readonly string[],
): Promise<ReadonlyArray<StatisticKey & { readonly index: number; readonly amount: bigint }>> {
  if (lost.length === 0 || statisticIds.length === 0) return [];
  const found = await uow.query<{ index: number; statisticId: string; period: number; rounds: number }>(
    `select wanted.index::int, s.id as "statisticId", m.period, m.rounds
       from unnest($2::uuid[], $3::uuid[], $4::text[]) with ordinality as wanted(account_id, mission_id, period_key, index)
      cross join unnest($5::uuid[]) as s(id)
      cross join ${lookUpByKey({
        select: 'period, rounds',
        from: 'account_statistic_mission',
        key: {
          account_id: 'wanted.account_id',
          statistic_id: 's.id',
          mission_id: 'wanted.mission_id',
          period_key: 'wanted.period_key',
        },
        many: true,
        and: 'rounds > 0',
      })} m
      order by wanted.index, s.id, m.period desc`,
    [
      uow.clientId,
      lost.map(({ accountId }) => accountId),
      lost.map(({ missionId }) => missionId),
      lost.map(({ periodKey }) => periodKey),
      statisticIds,
    ],
  );
  const open = new Map<string, number>();
  const taken = found.flatMap(({ index, statisticId, period, rounds }) => {
    const { accountId, missionId, periodKey, rounds: all } = lost[index - 1]!;
    const key = `${index} ${statisticId}`;
    const left = open.get(key) ?? all;
    const own = Math.min(left, rounds);
    open.set(key, left - own);
    return own === 0
      ? []
      : [
          {
            accountId,
            statisticId,
            period,
            missionId,
            periodKey,
            index: index - 1,
            rounds: own,
            amount: -BigInt(own) * ONE,
          },
        ];
  });
  if (taken.length === 0) return [];
  await uow.query(
    `update account_statistic_mission s set rounds = s.rounds - r.taken
       from ${lockedRows({
         source: `unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[])
                  as r(account_id, statistic_id, mission_id, period_key, period, taken)`,
         alias: 'r',
         table: 'account_statistic_mission',
         key: {
           account_id: 'r.account_id',
           statistic_id: 'r.statistic_id',
           mission_id: 'r.mission_id',
           period_key: 'r.period_key',
           period: 'r.period',
         },
       })}
      where s.client_id = $1 and s.ctid = r.row_ctid`,
    valuesOf(uow, taken),
  );
  return taken;
}

function valuesOf(uow: UnitOfWork, rows: readonly Completions[]): unknown[] {
  return [
    uow.clientId,
    rows.map(({ accountId }) => accountId),
    rows.map(({ statisticId }) => statisticId),
    rows.map(({ missionId }) => missionId),
    rows.map(({ periodKey }) => periodKey),
    rows.map(({ period }) => period),
    rows.map(({ rounds }) => rounds),
  ];
}
