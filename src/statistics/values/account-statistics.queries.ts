import { type StatisticEffect, type StatisticValue, withEffect } from '../../engine/statistics/statistic-value.ts';
import { type Amount, amountFromDecimal, amountToDecimal } from '../../kernel/amount.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { numbered } from '../../persistence/numbered.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';

/** The key of a value within its client. */
export type StatisticKey = { readonly accountId: string; readonly statisticId: string; readonly period: number };

/** A value to merge into the stored one: a part that is added, the largest, or the last. */
export type StatisticRow = StatisticKey & Pick<StatisticEffect, 'aggregation'> & StatisticValue;

/** The key of a value as a text. */
export function keyOf({ accountId, statisticId, period }: StatisticKey): string {
  return `${accountId} ${statisticId} ${period}`;
}

/** Effects of some events of one account. */
export type AccountEffects = { readonly accountId: string; readonly effects: readonly StatisticEffect[] };

/** One row for each key. */
export function combined(events: readonly AccountEffects[]): StatisticRow[] {
  const rows: Writable<StatisticRow>[] = [];
  const byStatistic = new Map<string, Map<number, Map<string, Writable<StatisticRow>>>>();
  for (const { accountId, effects } of events)
    for (const effect of effects) {
      const { statisticId, period, aggregation } = effect;
      const ofStatistic = byStatistic.getOrInsertComputed(statisticId, () => new Map());
      const ofPeriod = ofStatistic.getOrInsertComputed(period, () => new Map());
      const known = ofPeriod.get(accountId);
      const { value, lastAt } = withEffect(known, effect);
      if (known === undefined) {
        const row = { accountId, statisticId, period, aggregation, value, lastAt };
        ofPeriod.set(accountId, row);
        rows.push(row);
      } else Object.assign(known, { value, lastAt });
    }
  return rows;
}

type Writable<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/**
 * Merges rows into the stored values: one statement for all statistics of a batch. The caller has locked the accounts, so that no two
 * writers wait for each other here. It reads nothing, so it runs together with others.
 * @param rows one for each key
 */
export async function mergeValues(uow: UnitOfWork, rows: readonly StatisticRow[]): Promise<void> {
  if (rows.length === 0) return;
  const accounts = numbered(rows.map(({ accountId }) => accountId));
  const statistics = numbered(rows.map(({ statisticId }) => statisticId));
  const aggregationOf = new Map(rows.map(({ statisticId, aggregation }) => [statisticId, aggregation]));
  await uow.query(
    `insert into account_statistic as s (client_id, account_id, statistic_id, period, aggregation, value, last_at)
     select client_row.client_id, ($2::uuid[])[r.account], ($3::uuid[])[r.statistic], r.period, ($4::text[])[r.statistic], r.value, r.last_at
       from ${CLIENT_ROW} cross join unnest($5::int[], $6::int[], $7::int[], $8::numeric[], $9::timestamptz[])
            as r(account, statistic, period, value, last_at)
     on conflict (client_id, account_id, statistic_id, period) do update
        set value = case when s.aggregation = 'MAX' then greatest(s.value, excluded.value)
                         when s.aggregation = 'LAST' then case when excluded.last_at >= s.last_at then excluded.value else s.value end
                         else s.value + excluded.value end,
            last_at = greatest(s.last_at, excluded.last_at)`,
    [
      uow.clientId,
      accounts.distinct,
      statistics.distinct,
      statistics.distinct.map((id) => aggregationOf.get(id)),
      accounts.numbers,
      statistics.numbers,
      rows.map(({ period }) => period),
      rows.map(({ value }) => amountToDecimal(value)),
      // A shorter array ends with nulls.
      rows.some(({ lastAt }) => lastAt !== undefined) ? rows.map(({ lastAt }) => momentOf(lastAt)) : [],
    ],
  );
}

function momentOf(at: number | undefined): Date | null {
  return at === undefined ? null : new Date(at);
}

/**
 * Raises the bases of MAX, LAST, POINTS and past events by events that are deleted. The values have them already. The caller has locked the accounts.
 */
export async function raiseBases(uow: UnitOfWork, rows: readonly StatisticRow[]): Promise<void> {
  if (rows.length === 0) return;
  await uow.query(
    `update account_statistic s
        set base = case when s.base is null then r.value
                        when s.aggregation in ('COUNT', 'SUM') then s.base + r.value
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
      rows.map(({ lastAt }) => momentOf(lastAt)),
    ],
  );
}

/** The values of keys, in their order; undefined for a key without events. */
export async function statisticValues(
  uow: UnitOfWork,
  keys: readonly StatisticKey[],
): Promise<readonly (StatisticValue | undefined)[]> {
  if (keys.length === 0) return [];
  const accounts = numbered(keys.map(({ accountId }) => accountId));
  const statistics = numbered(keys.map(({ statisticId }) => statisticId));
  const rows = await uow.query<{ index: number; value: string; lastAt: Date | null }>(
    `select wanted.index::int, s.value, s.last_at as "lastAt"
       from unnest($4::int[], $5::int[], $6::int[]) with ordinality as wanted(account, statistic, period, index)
      cross join ${lookUpByKey({
        select: 'value, last_at',
        from: 'account_statistic',
        key: {
          account_id: '($2::uuid[])[wanted.account]',
          statistic_id: '($3::uuid[])[wanted.statistic]',
          period: 'wanted.period',
        },
      })} s`,
    [
      uow.clientId,
      accounts.distinct,
      statistics.distinct,
      accounts.numbers,
      statistics.numbers,
      keys.map(({ period }) => period),
    ],
  );
  const values: (StatisticValue | undefined)[] = Array.from({ length: keys.length });
  for (const { index, value, lastAt } of rows)
    values[index - 1] = { value: amountFromDecimal(value), lastAt: lastAt?.getTime() };
  return values;
}

/** Up to `limit` accounts with a value in a period of a statistic, in the order of their ids, after one of them. */
export async function accountsWithValue(
  uow: UnitOfWork,
  { statisticId, period }: Pick<StatisticKey, 'statisticId' | 'period'>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await uow.query<{ accountId: string }>(
    `select account_id as "accountId" from account_statistic
      where client_id = $1 and statistic_id = $2 and period = $3 and account_id > $4
      order by client_id, statistic_id, period, account_id limit $5`,
    [uow.clientId, statisticId, period, after, limit],
  );
  return rows.map(({ accountId }) => accountId);
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
 * Sets values of MAX or LAST: what came before no longer counts, so that a reversal of it changes nothing.
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
