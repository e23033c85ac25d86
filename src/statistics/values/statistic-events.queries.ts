import { type StatisticEffect, type StatisticValue, withEffect } from '../../engine/statistics/statistic-value.ts';
import { type Amount, amountFromDecimal, amountToDecimal, ONE } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { MergedPair } from '../../persistence/subjects/account-part.ts';
import { propertiesOf } from '../../persistence/columns-of.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { accountStatisticEventTable } from './account-statistic-event.entity.ts';
import { keyOf, type StatisticKey } from './account-statistics.queries.ts';

/** The effect of a journal entry on a statistic. */
export type EntryEffect = StatisticKey & StatisticEffect & { readonly entryId: string };

/** Stores events for as long as they may be taken back. */
export async function storeStatisticEvents(uow: UnitOfWork, effects: readonly EntryEffect[]): Promise<void> {
  await insertEvents(
    uow,
    effects.map(({ entryId, statisticId, accountId, period, amount, occurredAt }) => {
      const moment = new Date(occurredAt);
      return { ...partsOf(entryId), statisticId, accountId, period, value: amount, occurredAt: moment };
    }),
  );
}

const insertEvents = insertInto(accountStatisticEventTable);

/** An event from before its statistic. */
export type PastEvent = EntryEffect;

/** Stores past events. @returns those that were not stored yet */
export async function storePastEvents(uow: UnitOfWork, events: readonly PastEvent[]): Promise<PastEvent[]> {
  const rows = await insertPastEvents(
    uow,
    events.map(({ entryId, statisticId, accountId, period, amount, day, occurredAt }) => {
      const value = day === undefined ? amount : BigInt(day) * ONE;
      return { ...partsOf(entryId), statisticId, accountId, period, value, occurredAt: new Date(occurredAt) };
    }),
  );
  const stored = new Set(rows.map(rowKey));
  return events.filter(({ entryId }) => stored.has(rowKey(partsOf(entryId))));
}

function rowKey({ batchId, entry }: { readonly batchId: string; readonly entry: number }): string {
  return `${batchId} ${entry}`;
}

const insertPastEvents = insertInto(accountStatisticEventTable, {
  conflict: { key: ['batchId', 'entry', 'statisticId'], do: 'nothing' },
  returning: propertiesOf(accountStatisticEventTable, ['batchId', 'entry']),
});

/** The amount that an event has brought to a statistic, or its day for DAYS. */
export type StoredPastEvent = { readonly statisticId: string; readonly period: number; readonly value: Amount };

/** The amounts that events have brought to statistics that keep a row for each, by the index of the journal entry. */
export async function storedEvents(
  uow: UnitOfWork,
  entryIds: readonly string[],
): Promise<ReadonlyMap<number, readonly StoredPastEvent[]>> {
  const keys = entryIds.map((entryId) => partsOf(entryId));
  const rows = await uow.query<{ index: number; statisticId: string; period: number; value: string }>(
    `select wanted.index::int, e.statistic_id as "statisticId", e.period, e.value
       from unnest($2::uuid[], $3::int[]) with ordinality as wanted(batch_id, entry, index)
      cross join ${lookUpByKey({
        select: 'statistic_id, period, value',
        from: 'account_statistic_event',
        key: { batch_id: 'wanted.batch_id', entry: 'wanted.entry' },
        many: true,
      })} e`,
    [uow.clientId, keys.map(({ batchId }) => batchId), keys.map(({ entry }) => entry)],
  );
  return Map.groupBy(
    rows.map(({ value, ...row }) => ({ ...row, value: amountFromDecimal(value) })),
    ({ index }) => index - 1,
  );
}

/** An event of which a part is taken back. */
export type TakenEvent = EntryEffect & {
  /** The amount of the event that is left. */
  readonly left: Amount;
};

/**
 * Takes events back, whole or in part, and sets the values to what is left. The caller has locked the accounts. An event before a
 * correction is not stored any more, and changes nothing.
 */
export async function takeStatisticEvents(uow: UnitOfWork, events: readonly TakenEvent[]): Promise<void> {
  if (events.length === 0) return;
  await Promise.all([
    keepParts(
      uow,
      events.filter(({ left }) => left > 0n),
    ),
    removeEvents(
      uow,
      events.filter(({ left }) => left === 0n),
    ),
  ]);
  await settleValues(uow, events);
}

/** Sets values of MAX and LAST to what their stored events and their bases give. The caller has locked the accounts. */
export async function settleValues(uow: UnitOfWork, events: readonly EntryEffect[]): Promise<void> {
  const keys = new Map(events.map((event) => [keyOf(event), event]));
  const sorted = [...keys].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, event]) => event);
  const values = await remainingValues(uow, sorted);
  await Promise.all([
    updateValues(
      uow,
      values.flatMap(({ key, value }) => (value === undefined ? [] : [{ ...key, ...value }])),
    ),
    removeValues(
      uow,
      values.flatMap(({ key, value }) => (value === undefined ? [key] : [])),
    ),
  ]);
}

/** Points of an earned reward to take back. */
export type LostPoints = { readonly accountId: string; readonly earnedRewardId: string; readonly amount: Amount };

/** The id under which an earned reward is stored like an entry. */
export function entryOfReward(earnedRewardId: string): string {
  return `${earnedRewardId}.0`;
}

/**
 * Takes points back of what statistics have counted of their rewards. The caller has locked the accounts. A reward from before a statistic is
 * not stored there, and changes nothing.
 * @returns the effects with negative amounts, each with the index of what was lost
 */
export async function takePoints(
  uow: UnitOfWork,
  lost: readonly LostPoints[],
): Promise<ReadonlyArray<StatisticKey & { readonly index: number; readonly amount: Amount }>> {
  if (lost.length === 0) return [];
  const rows = await uow.query<{ index: number; statisticId: string; period: number; value: string }>(
    `select wanted.index::int, e.statistic_id as "statisticId", e.period, e.value
       from unnest($2::uuid[]) with ordinality as wanted(id, index)
      cross join ${lookUpByKey({
        select: 'statistic_id, period, value',
        from: 'account_statistic_event',
        key: { batch_id: 'wanted.id', entry: '0' },
        many: true,
      })} e`,
    [uow.clientId, lost.map(({ earnedRewardId }) => earnedRewardId)],
  );
  const taken = rows.map(({ index, statisticId, period, value }) => {
    const { accountId, earnedRewardId, amount } = lost[index - 1]!;
    const before = amountFromDecimal(value);
    const own = amount < before ? amount : before;
    const key = { accountId, statisticId, period, entryId: entryOfReward(earnedRewardId) };
    return { ...key, index: index - 1, amount: -own, left: before - own };
  });
  await Promise.all([
    keepParts(
      uow,
      taken.filter(({ left }) => left > 0n),
    ),
    removeEvents(
      uow,
      taken.filter(({ left }) => left === 0n),
    ),
  ]);
  return taken;
}

const EVENT_KEY = { batch_id: 'r.batch_id', entry: 'r.entry', statistic_id: 'r.statistic_id' };

async function keepParts(uow: UnitOfWork, events: readonly (EventKey & Pick<TakenEvent, 'left'>)[]): Promise<void> {
  if (events.length === 0) return;
  await uow.query(
    `update account_statistic_event e set value = r.value
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::int[], $4::uuid[], $5::numeric[]) as r(batch_id, entry, statistic_id, value)',
         alias: 'r',
         table: 'account_statistic_event',
         key: EVENT_KEY,
       })}
      where e.client_id = $1 and e.ctid = r.row_ctid`,
    [uow.clientId, ...keysOf(events), events.map(({ left }) => amountToDecimal(left))],
  );
}

async function removeEvents(uow: UnitOfWork, events: readonly EventKey[]): Promise<void> {
  if (events.length === 0) return;
  await uow.query(
    `delete from account_statistic_event e
      using ${lockedRows({
        source: 'unnest($2::uuid[], $3::int[], $4::uuid[]) as r(batch_id, entry, statistic_id)',
        alias: 'r',
        table: 'account_statistic_event',
        key: EVENT_KEY,
      })}
      where e.client_id = $1 and e.ctid = r.row_ctid`,
    [uow.clientId, ...keysOf(events)],
  );
}

type EventKey = Pick<EntryEffect, 'entryId' | 'statisticId'>;

function keysOf(events: readonly EventKey[]): unknown[] {
  const keys = events.map(({ entryId }) => partsOf(entryId));
  return [keys.map(({ batchId }) => batchId), keys.map(({ entry }) => entry), events.map((each) => each.statisticId)];
}

type Remaining = { readonly key: EntryEffect; readonly value: StatisticValue | undefined };

/** The values of the stored events and of what came before them. */
async function remainingValues(uow: UnitOfWork, keys: readonly EntryEffect[]): Promise<Remaining[]> {
  const rows = await uow.query<{
    index: number;
    base: string | null;
    baseAt: Date | null;
    value: string | null;
    occurredAt: Date | null;
  }>(
    `select wanted.index::int, s.base, s.base_at as "baseAt", e.value, e.occurred_at as "occurredAt"
       from unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[])
            with ordinality as wanted(account_id, statistic_id, period, aggregation, index)
      cross join ${lookUpByKey({
        select: 'base, base_at',
        from: 'account_statistic',
        key: { account_id: 'wanted.account_id', statistic_id: 'wanted.statistic_id', period: 'wanted.period' },
      })} s
       left join lateral (
         select value, occurred_at from account_statistic_event
          where client_id = $1::uuid and account_id = wanted.account_id and statistic_id = wanted.statistic_id
            and period between wanted.period and wanted.period
          order by case when wanted.aggregation = 'MAX' then value end desc nulls last, occurred_at desc, batch_id desc, entry desc
          limit 1) e on true`,
    [uow.clientId, ...valueKeysOf(keys), keys.map(({ aggregation }) => aggregation)],
  );
  return rows.map(({ index, base, baseAt, value, occurredAt }) => {
    const key = keys[index - 1]!;
    const before =
      base === null ? undefined : { value: amountFromDecimal(base), ...(baseAt && { lastAt: baseAt.getTime() }) };
    if (value === null || occurredAt === null) return { key, value: before };
    const effect = { ...key, amount: amountFromDecimal(value), occurredAt: occurredAt.getTime() };
    return { key, value: withEffect(before, effect) };
  });
}

const VALUE_KEY = { account_id: 'r.account_id', statistic_id: 'r.statistic_id', period: 'r.period' };

async function updateValues(uow: UnitOfWork, rows: readonly (StatisticKey & StatisticValue)[]): Promise<void> {
  if (rows.length === 0) return;
  await uow.query(
    `update account_statistic s set value = r.value, last_at = r.last_at
       from ${lockedRows({
         source: `unnest($2::uuid[], $3::uuid[], $4::int[], $5::numeric[], $6::timestamptz[])
                  as r(account_id, statistic_id, period, value, last_at)`,
         alias: 'r',
         table: 'account_statistic',
         key: VALUE_KEY,
       })}
      where s.client_id = $1 and s.ctid = r.row_ctid`,
    [
      uow.clientId,
      ...valueKeysOf(rows),
      rows.map(({ value }) => amountToDecimal(value)),
      rows.map(({ lastAt }) => (lastAt === undefined ? null : new Date(lastAt))),
    ],
  );
}

async function removeValues(uow: UnitOfWork, keys: readonly StatisticKey[]): Promise<void> {
  if (keys.length === 0) return;
  await uow.query(
    `delete from account_statistic s
      using ${lockedRows({
        source: 'unnest($2::uuid[], $3::uuid[], $4::int[]) as r(account_id, statistic_id, period)',
        alias: 'r',
        table: 'account_statistic',
        key: VALUE_KEY,
      })}
      where s.client_id = $1 and s.ctid = r.row_ctid`,
    [uow.clientId, ...valueKeysOf(keys)],
  );
}

function valueKeysOf(keys: readonly StatisticKey[]): unknown[] {
  return [
    keys.map(({ accountId }) => accountId),
    keys.map(({ statisticId }) => statisticId),
    keys.map(({ period }) => period),
  ];
}

function partsOf(entryId: string): { readonly batchId: string; readonly entry: number } {
  const [batchId = '', entry] = entryId.split('.');
  return { batchId, entry: Number(entry) };
}

/** Gives the events of one account to another one. Both are locked. */
export async function giveStatisticEvents(uow: UnitOfWork, { from, into }: MergedPair): Promise<void> {
  await uow.query(
    `update account_statistic_event e set account_id = $3
       from ${lookUpByKey({
         select: 'ctid as row_ctid',
         from: 'account_statistic_event',
         key: { account_id: '$2::uuid' },
         many: true,
       })} own
      where e.client_id = $1 and e.ctid = own.row_ctid`,
    [uow.clientId, from, into],
  );
}
