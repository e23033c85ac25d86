import { type StatisticPeriod, statisticPeriodAt } from '../../engine/statistics/statistic-period.ts';
import {
  type Aggregation,
  aggregations,
  type StatisticEffect,
  type StatisticValue,
  withEffect,
} from '../../engine/statistics/statistic-value.ts';
import type { Calendar } from '../../engine/time/calendar.ts';
import { type Amount, amountFromDecimal, amountToDecimal } from '../../kernel/amount.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';

/** The key of a value within its client. */
export type StatisticKey = { readonly accountId: string; readonly statisticId: string; readonly period: number };

/** A value to merge into the stored one: a part that is added, the largest, or the last. */
export type StatisticRow = StatisticKey & Pick<StatisticEffect, 'aggregation'> & StatisticValue;

/** The key of a value as a text. */
export function keyOf({ accountId, statisticId, period }: StatisticKey): string {
  return `${accountId} ${statisticId} ${period}`;
}

/** One row for each key, in the order of keys, so that two writers never wait for each other in a circle. */
export function combined(effects: readonly (StatisticKey & StatisticEffect)[]): StatisticRow[] {
  const rows = new Map<string, StatisticRow>();
  for (const effect of effects) {
    const key = keyOf(effect);
    const { accountId, statisticId, period, aggregation } = effect;
    rows.set(key, { accountId, statisticId, period, aggregation, ...withEffect(rows.get(key), effect) });
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/**
 * Merges rows into the stored values: one statement for all statistics of a batch. The caller has locked the accounts. It reads nothing, so
 * it runs together with others.
 * @param rows one for each key, sorted
 */
export async function mergeValues(uow: UnitOfWork, rows: readonly StatisticRow[]): Promise<void> {
  if (rows.length === 0) return;
  await uow.query(
    `insert into account_statistic as s (client_id, account_id, statistic_id, period, aggregation, value, last_at)
     select client_row.client_id, r.account_id, r.statistic_id, r.period, r.aggregation, r.value, r.last_at
       from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::numeric[], $7::timestamptz[])
            as r(account_id, statistic_id, period, aggregation, value, last_at)
     on conflict (client_id, account_id, statistic_id, period) do update
        set value = case when s.aggregation = 'MAX' then greatest(s.value, excluded.value)
                         when s.aggregation = 'LAST' then case when excluded.last_at >= s.last_at then excluded.value else s.value end
                         else s.value + excluded.value end,
            last_at = greatest(s.last_at, excluded.last_at)`,
    [
      uow.clientId,
      rows.map(({ accountId }) => accountId),
      rows.map(({ statisticId }) => statisticId),
      rows.map(({ period }) => period),
      rows.map(({ aggregation }) => aggregation),
      rows.map(({ value }) => amountToDecimal(value)),
      rows.map(({ lastAt }) => (lastAt === undefined ? null : new Date(lastAt))),
    ],
  );
}

/** Raises the bases of MAX and LAST by events that are forgotten. The values have them already. The caller has locked the accounts. */
export async function raiseBases(uow: UnitOfWork, rows: readonly StatisticRow[]): Promise<void> {
  if (rows.length === 0) return;
  await uow.query(
    `update account_statistic s
        set base = case when s.base is null then r.value
                        when s.aggregation = 'MAX' then greatest(s.base, r.value)
                        when r.base_at >= s.base_at then r.value else s.base end,
            base_at = greatest(s.base_at, r.base_at)
       from ${lockedRows({
         source: `unnest($2::uuid[], $3::uuid[], $4::int[], $5::numeric[], $6::timestamptz[])
                  as r(account_id, statistic_id, period, value, base_at)`,
         alias: 'r',
         table: 'account_statistic',
         key: { account_id: 'r.account_id', statistic_id: 'r.statistic_id', period: 'r.period' },
       })}
      where s.client_id = $1 and s.ctid = r.row_ctid`,
    [
      uow.clientId,
      rows.map(({ accountId }) => accountId),
      rows.map(({ statisticId }) => statisticId),
      rows.map(({ period }) => period),
      rows.map(({ value }) => amountToDecimal(value)),
      rows.map(({ lastAt }) => (lastAt === undefined ? null : new Date(lastAt))),
    ],
  );
}

/** The values of keys, by {@link keyOf}; a key without events has none. */
export async function statisticValues(
  uow: UnitOfWork,
  keys: readonly StatisticKey[],
): Promise<Map<string, StatisticValue>> {
  if (keys.length === 0) return new Map();
  const rows = await uow.query<{ index: number; value: string; lastAt: Date | null }>(
    `select wanted.index::int, s.value, s.last_at as "lastAt"
       from unnest($2::uuid[], $3::uuid[], $4::int[]) with ordinality as wanted(account_id, statistic_id, period, index)
      cross join ${lookUpByKey({
        select: 'value, last_at',
        from: 'account_statistic',
        key: { account_id: 'wanted.account_id', statistic_id: 'wanted.statistic_id', period: 'wanted.period' },
      })} s`,
    [
      uow.clientId,
      keys.map(({ accountId }) => accountId),
      keys.map(({ statisticId }) => statisticId),
      keys.map(({ period }) => period),
    ],
  );
  return new Map(
    rows.map(({ index, value, lastAt }) => [
      keyOf(keys[index - 1]!),
      { value: amountFromDecimal(value), lastAt: lastAt?.getTime() },
    ]),
  );
}

/** SQL of a statistic of an account `a` in the period of an instant, NULL for MAX and LAST without an event. */
export function statisticSql(
  {
    id,
    aggregation,
    period: unit,
  }: { readonly id: string; readonly aggregation: Aggregation; readonly period: StatisticPeriod },
  calendar: Calendar,
  now: Date,
): string {
  const { period } = statisticPeriodAt(unit, calendar, now.getTime());
  const value = `(select s.value from ${lookUpByKey({
    select: 'value',
    from: 'account_statistic',
    key: { account_id: 'a.id', statistic_id: `'${id}'::uuid`, period: `${period}` },
  })} s)`;
  return aggregations[aggregation].isAdded ? `coalesce(${value}, 0)` : value;
}

/** SQL of the values of all accounts in some periods of a statistic: rows of `account_id` and `value`. */
export function valuesOfPeriodsSql(statisticId: string, periods: string): string {
  return `select account_id, value from account_statistic
           where client_id = $1 and statistic_id = ${statisticId} and period = any(${periods})`;
}

/** A value to set, and the one before it; undefined without one. */
export type SetRow = StatisticRow & { readonly before: Amount | undefined };

/** Sets added values; the differences count as corrected. @param rows one for each key, sorted */
export async function setAddedValues(uow: UnitOfWork, rows: readonly SetRow[]): Promise<void> {
  if (rows.length === 0) return;
  await uow.query(
    `insert into account_statistic as s (client_id, account_id, statistic_id, period, aggregation, value, corrected)
     select client_row.client_id, r.account_id, r.statistic_id, r.period, r.aggregation, r.value, r.corrected
       from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::numeric[], $7::numeric[])
            as r(account_id, statistic_id, period, aggregation, value, corrected)
     on conflict (client_id, account_id, statistic_id, period) do update
        set value = excluded.value, corrected = s.corrected + excluded.corrected`,
    [
      ...valuesOf(uow, rows),
      rows.map(({ aggregation }) => aggregation),
      rows.map(({ value }) => amountToDecimal(value)),
      rows.map(({ value, before = 0n }) => amountToDecimal(value - before)),
    ],
  );
}

/**
 * Sets values of MAX or LAST: what came before is forgotten, so that a reversal of it changes nothing.
 * @param rows one for each key, sorted
 */
export async function setOtherValues(uow: UnitOfWork, rows: readonly SetRow[], at: Date): Promise<void> {
  if (rows.length === 0) return;
  await Promise.all([
    uow.query(
      `insert into account_statistic as s
              (client_id, account_id, statistic_id, period, aggregation, value, last_at, base, base_at)
       select client_row.client_id, r.account_id, r.statistic_id, r.period, r.aggregation, r.value, r.last_at, r.value, r.last_at
         from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::numeric[], $7::timestamptz[])
              as r(account_id, statistic_id, period, aggregation, value, last_at)
       on conflict (client_id, account_id, statistic_id, period) do update
          set value = excluded.value, last_at = excluded.last_at, base = excluded.base, base_at = excluded.base_at`,
      [
        ...valuesOf(uow, rows),
        rows.map(({ aggregation }) => aggregation),
        rows.map(({ value }) => amountToDecimal(value)),
        rows.map(({ aggregation }) => (aggregation === 'LAST' ? at : null)),
      ],
    ),
    uow.query(
      `delete from account_statistic_event e
        using (select own.row_ctid from unnest($2::uuid[], $3::uuid[], $4::int[]) as r(account_id, statistic_id, period)
                cross join ${lookUpByKey({
                  select: 'ctid as row_ctid',
                  from: 'account_statistic_event',
                  key: { account_id: 'r.account_id', statistic_id: 'r.statistic_id', period: 'r.period' },
                  many: true,
                })} own) own
        where e.client_id = $1 and e.ctid = own.row_ctid`,
      valuesOf(uow, rows),
    ),
  ]);
}

/** The first parameters of a statement over keys. */
function valuesOf(uow: UnitOfWork, keys: readonly StatisticKey[]): unknown[] {
  return [
    uow.clientId,
    keys.map(({ accountId }) => accountId),
    keys.map(({ statisticId }) => statisticId),
    keys.map(({ period }) => period),
  ];
}
