import type { StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import { ONE } from '../../kernel/amount.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { keyOf, type StatisticKey } from './account-statistics.queries.ts';

/** An effect on a statistic of DAYS. */
export type DayEffect = StatisticKey & StatisticEffect;

type DayCount = { readonly effect: DayEffect; count: number };

/** Adds events to their days. @returns the first effect of each day that had none before, in the order of the events */
export async function addToDays(uow: UnitOfWork, effects: readonly DayEffect[]): Promise<DayEffect[]> {
  const days = countsOf(effects);
  if (days.length === 0) return [];
  const rows = await uow.query<{ accountId: string; statisticId: string; period: number; day: number; events: number }>(
    `insert into account_statistic_day as s (client_id, account_id, statistic_id, period, day, events)
     select client_row.client_id, r.account_id, r.statistic_id, r.period, r.day, r.events
       from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::int[])
            as r(account_id, statistic_id, period, day, events)
     on conflict (client_id, account_id, statistic_id, period, day) do update set events = s.events + excluded.events
     returning s.account_id as "accountId", s.statistic_id as "statisticId", s.period, s.day, s.events`,
    valuesOf(uow, days),
  );
  const after = new Map(rows.map((row) => [dayKey(row), row.events]));
  const begun = new Set(days.flatMap(({ effect, count }) => (after.get(dayKey(effect)) === count ? [effect] : [])));
  return effects.filter((effect) => begun.has(effect)).map((effect) => ({ ...effect, amount: ONE }));
}

/** Takes events from their days. @returns one effect for each day that has none any more, with a negative amount */
export async function takeFromDays(uow: UnitOfWork, effects: readonly DayEffect[]): Promise<DayEffect[]> {
  const days = countsOf(effects);
  if (days.length === 0) return [];
  const rows = await uow.query<{ index: number; events: number }>(
    `update account_statistic_day s set events = greatest(s.events - r.taken, 0)
       from ${lockedRows({
         source: `unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::int[])
                  with ordinality as r(account_id, statistic_id, period, day, taken, index)`,
         alias: 'r',
         table: 'account_statistic_day',
         key: { account_id: 'r.account_id', statistic_id: 'r.statistic_id', period: 'r.period', day: 'r.day' },
         and: 'events > 0',
       })}
      where s.client_id = $1 and s.ctid = r.row_ctid
     returning r.index::int as index, s.events`,
    valuesOf(uow, days),
  );
  return rows.flatMap(({ index, events }) => (events > 0 ? [] : [{ ...days[index - 1]!.effect, amount: -ONE }]));
}

function valuesOf(uow: UnitOfWork, days: readonly DayCount[]): unknown[] {
  return [
    uow.clientId,
    days.map(({ effect }) => effect.accountId),
    days.map(({ effect }) => effect.statisticId),
    days.map(({ effect }) => effect.period),
    days.map(({ effect }) => effect.day),
    days.map(({ count }) => count),
  ];
}

/** The events of each day, in the order of keys. */
function countsOf(effects: readonly DayEffect[]): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const effect of effects) {
    const key = dayKey({ ...effect, day: effect.day! });
    const known = days.get(key);
    if (known === undefined) days.set(key, { effect, count: 1 });
    else known.count += 1;
  }
  return [...days].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day);
}

function dayKey(day: StatisticKey & { readonly day?: number | undefined }): string {
  return `${keyOf(day)} ${day.day}`;
}

/** The day of a value. */
export type DayOfValue = StatisticKey & { readonly day: number };

/** Those of some days that have events. */
export async function daysWithEvents(uow: UnitOfWork, days: readonly DayOfValue[]): Promise<DayOfValue[]> {
  if (days.length === 0) return [];
  const rows = await uow.query<{ index: number }>(
    `select wanted.index::int
       from unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[]) with ordinality
            as wanted(account_id, statistic_id, period, day, index)
      cross join ${lookUpByKey({
        select: '1',
        from: 'account_statistic_day',
        key: {
          account_id: 'wanted.account_id',
          statistic_id: 'wanted.statistic_id',
          period: 'wanted.period',
          day: 'wanted.day',
        },
        and: 'events > 0',
      })} s`,
    [
      uow.clientId,
      days.map(({ accountId }) => accountId),
      days.map(({ statisticId }) => statisticId),
      days.map(({ period }) => period),
      days.map(({ day }) => day),
    ],
  );
  return rows.map(({ index }) => days[index - 1]!);
}

/** Counts the days of an account again after its days were united with those of another one. */
export async function recountDays(uow: UnitOfWork, accountId: string): Promise<void> {
  await uow.query(
    `update account_statistic s
        set value = s.corrected + (select count(*) from account_statistic_day d
                                    where d.client_id = $1 and d.account_id = s.account_id and d.statistic_id = s.statistic_id
                                      and d.period = s.period and d.events > 0)
      where s.client_id = $1 and s.account_id = $2 and s.aggregation = 'DAYS'`,
    [uow.clientId, accountId],
  );
}
