import { JournalEntry_Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { probe } from '../persistence/by-keys.ts';
import { columnsOf, propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalBatchTable } from './journal-batch.entity.ts';
import type { JournalEntryRow } from './journal-row.ts';
import { operationHash } from './journal.queries.ts';

/** The place of an entry in the journal, which is ordered by these. */
export type JournalPlace = { readonly recordedAt: Date; readonly id: string };

/** Which entries are wanted; what is undefined does not matter. */
export type JournalQuery = {
  readonly accountId?: string | undefined;
  readonly programmaticCode?: string | undefined;
  readonly operationId?: string | undefined;
  /** The number of a `JournalEntry.Effect`. */
  readonly effect?: number | undefined;
  /** Only what earned a reward. */
  readonly rewarded?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only entries older than this one. */
  readonly after?: JournalPlace | undefined;
};

/** The latest batches by which it is told how common something is. */
const RECENT = 64;

/** The most that are looked through for what is common. */
const RECENT_MAX = 1_024;

/** From how many of them on it is common. */
const COMMON = 8;

/** The effects of events that may have earned a reward. */
const REWARDING = [JournalEntry_Effect.COMPLETED, JournalEntry_Effect.CAMPAIGN_COMPLETED];

/** Batches up to which what is rare is found in all days at once. */
const RARE_MAX = 1_000;

const DAY_MS = 86_400_000;

/**
 * The latest entries that a query wants, `limit` at most. What is common is found among the latest batches, and what is rare by
 * the index that knows what a batch contains: of all days at once where these are few, and else day by day, because that index
 * has no order.
 */
export async function journalEntries(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<JournalEntryRow[]> {
  // Planned for its own values each time, because days are left out by them.
  await uow.query(`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
  if (!isSearch(query)) return walk(uow, query, limit, { batchesOf: latestBatches });
  return (
    (await commonEntries(uow, query, limit)) ?? (await fewEntries(uow, query, limit)) ?? entriesByDay(uow, query, limit)
  );
}

/** What is common: half as far back again as it should take. Undefined where that is not far enough, however common it was lately. */
async function commonEntries(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
): Promise<JournalEntryRow[] | undefined> {
  const among = await countRecent(uow, query, RECENT);
  if (among < COMMON) return undefined;
  const window = Math.min(Math.ceil((1.5 * limit * RECENT) / among), RECENT_MAX);
  const batchesOf: Batches = (unit, asked, count) => recentBatches(unit, asked, { window, count });
  const found = await walk(uow, query, limit, { batchesOf, count: 16 });
  return found.length < limit ? undefined : found;
}

/** What few batches contain; undefined where they are many. */
async function fewEntries(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<JournalEntryRow[] | undefined> {
  const found: JournalEntryRow[] = [];
  for (let behind = query; ;) {
    const batches = await foundBatches(uow, behind, RECENT, RARE_MAX);
    if (batches.some((batch) => batch.found >= RARE_MAX)) return undefined;
    found.push(...entriesOf(batches, query));
    const last = batches.at(-1);
    if (found.length >= limit || last === undefined || batches.length < RECENT) return found.slice(0, limit);
    behind = { ...query, after: { recordedAt: last.recordedAt, id: placeIn(last, 0) } };
  }
}

/** What many batches contain, if not lately. */
async function entriesByDay(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<JournalEntryRow[]> {
  const found: JournalEntryRow[] = [];
  const batchesOf: Batches = (unit, asked, count) => foundBatches(unit, asked, count);
  const kept = await keptPeriod(uow);
  if (kept === undefined) return found;
  const oldest = Math.max(kept.oldest.getTime(), query.from?.getTime() ?? 0);
  let until = Math.min(kept.newest.getTime(), query.after?.recordedAt.getTime() ?? Infinity) + 1;
  if (query.until) until = Math.min(until, query.until.getTime());
  while (until > oldest && found.length < limit) {
    const from = Math.max(Math.floor((until - 1) / DAY_MS) * DAY_MS, oldest);
    const day = { ...query, from: new Date(from), until: new Date(until) };
    found.push(...(await walk(uow, day, limit - found.length, { batchesOf, count: RECENT })));
    until = from;
  }
  return found;
}

function isSearch({ rewarded = false, accountId, programmaticCode, operationId, effect }: JournalQuery): boolean {
  return rewarded || [accountId, programmaticCode, operationId, effect].some((wanted) => wanted !== undefined);
}

/** From when to when there are entries; undefined where there are none. */
async function keptPeriod(uow: UnitOfWork): Promise<{ readonly oldest: Date; readonly newest: Date } | undefined> {
  const at = (order: string) =>
    `(select recorded_at from journal_batch where client_id = $1 order by client_id ${order}, recorded_at ${order} limit 1)`;
  const [row] = await uow.query<{ oldest: Date | null; newest: Date | null }>(
    `select ${at('')} as oldest, ${at('desc')} as newest`,
    [uow.clientId],
  );
  return row?.oldest && row.newest ? { oldest: row.oldest, newest: row.newest } : undefined;
}

const COLUMNS = propertiesOf(journalBatchTable, ['recordedAt', 'id', 'accountIds', 'programmaticCodes', 'entries']);

/** Batches with what a query wants of them; see {@link wantedOf}. */
const WANTED = propertiesOf(journalBatchTable, ['recordedAt', 'id', 'programmaticCodes'], 'b');

const ALL = columnsOf(journalBatchTable, [
  ...(['recordedAt', 'id', 'accountIds', 'programmaticCodes', 'effects', 'operationHashes', 'entries'] as const),
]);
type Batch = RowOf<typeof COLUMNS>;

/** The latest batches behind a place that a query may want, so many at most. */
type Batches = (uow: UnitOfWork, query: JournalQuery, limit: number) => Promise<Batch[]>;

/** Goes back until there are entries enough, at first by `count` batches. */
async function walk(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  { batchesOf, count = 8 }: { readonly batchesOf: Batches; readonly count?: number },
): Promise<JournalEntryRow[]> {
  const found: JournalEntryRow[] = [];
  let behind = query;
  for (; ; count = Math.min(count * 2, RECENT)) {
    const batches = await batchesOf(uow, behind, count);
    found.push(...entriesOf(batches, query));
    const last = batches.at(-1);
    if (found.length >= limit || last === undefined || batches.length < count) return found.slice(0, limit);
    behind = { ...query, after: { recordedAt: last.recordedAt, id: placeIn(last, 0) } };
  }
}

/** Those of a period. */
function latestBatches(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<Batch[]> {
  const { values, value } = parametersOf(uow);
  return uow.query<Batch>(
    `select ${COLUMNS} from journal_batch where ${periodOf(query, value)}
      order by recorded_at desc, id desc limit ${value(limit, 'bigint')}`,
    values,
  );
}

/** How many of the latest `window` of a period contain what a query searches for. */
async function countRecent(uow: UnitOfWork, query: JournalQuery, window: number): Promise<number> {
  const { values, value } = parametersOf(uow);
  const [row] = await uow.query<{ count: string }>(
    `select count(*) from ${recentOf(query, window, value)} where ${contentOf(query, value).join(' and ')}`,
    values,
  );
  return Number(row?.count);
}

/** The latest `count` of those. */
function recentBatches(
  uow: UnitOfWork,
  query: JournalQuery,
  { window, count }: { readonly window: number; readonly count: number },
): Promise<Batch[]> {
  const { values, value } = parametersOf(uow);
  return uow.query<Batch>(
    `select ${WANTED}, wanted.*
       from (select * from ${recentOf(query, window, value)} where ${contentOf(query, value).join(' and ')}
              order by recorded_at desc, id desc limit ${value(count, 'bigint')}) b
      cross join ${wantedOf(query, value)} wanted
      order by b.recorded_at desc, b.id desc`,
    values,
  );
}

function recentOf(query: JournalQuery, window: number, value: Value): string {
  return `(select ${ALL} from journal_batch where ${periodOf(query, value)}
            order by recorded_at desc, id desc limit ${value(window, 'bigint')}) recent`;
}

/**
 * What a query searches for, by the index of what batches contain: the order must not tempt PostgreSQL to walk. With each how many
 * were found, of which these are the latest.
 * @param foundMax so many are found at most, and then these need not be the latest
 */
function foundBatches(uow: UnitOfWork, query: JournalQuery, limit: number, foundMax?: number): Promise<FoundBatch[]> {
  const { values, value } = parametersOf(uow);
  return uow.query<FoundBatch>(
    `with found as materialized (
       select recorded_at, id from journal_search
        where ${[periodOf(query, value, UNINDEXED, foundMax === undefined ? undefined : UNINDEXED), ...contentOf(query, value)].join(' and ')}
        limit ${value(foundMax ?? null, 'bigint')}
     ), latest as materialized (
       select recorded_at, id from found order by recorded_at desc, id desc limit ${value(limit, 'bigint')}
     )
     select ${WANTED}, wanted.*, (select count(*)::int from found) as found
       from latest cross join ${BATCH} b
      cross join ${wantedOf(query, value)} wanted
      order by b.recorded_at desc, b.id desc`,
    values,
  );
}

/** One of `latest`. A join would walk through all days where they were never analysed. */
const LATEST = { recorded_at: 'latest.recorded_at', id: 'latest.id' };
const BATCH = probe({ select: '*', from: 'journal_batch', key: LATEST });

type FoundBatch = Batch & { readonly found: number };

/**
 * Accounts and entries of a batch `b`, each at its place. Of one account only its own, because a batch has some 28 KB of others'.
 */
function wantedOf({ accountId }: JournalQuery, value: Value): string {
  if (accountId === undefined) return `lateral (select b.account_ids as "accountIds", b.entries)`;
  const account = value(accountId, 'uuid');
  return `lateral (
    select array_agg(case when e.account_id = ${account} then e.account_id end order by e.place) as "accountIds",
           json_agg(case when e.account_id = ${account} then e.entry else '0' end order by e.place) as entries
      from rows from (unnest(b.account_ids), json_array_elements(b.entries)) with ordinality as e(account_id, entry, place))`;
}

type Value = (value: unknown, type: string) => string;

function parametersOf(uow: UnitOfWork): { readonly values: unknown[]; readonly value: Value } {
  const values: unknown[] = [uow.clientId];
  return { values, value: (each, type) => `$${values.push(each)}::${type}` };
}

/** A moment that no index is asked about. */
const UNINDEXED = `recorded_at + interval '0'`;

/**
 * Batches that have entries of the period; the one of the place itself is among them.
 * @param moment what moments are compared with from above. An expression keeps PostgreSQL, which knows nothing of a young day and
 * takes two bounds for a two-hundredth of it, from walking the key instead of asking the index of what batches contain.
 * @param earliest the same from below, where days are not left out by it
 */
function periodOf(
  { from, until, after }: JournalQuery,
  value: Value,
  moment = 'recorded_at',
  earliest = 'recorded_at',
): string {
  const [id, place] = after ? batchOf(after) : [];
  return [
    'client_id = $1',
    ...(from ? [`${earliest} >= ${value(from, 'timestamptz')}`] : []),
    ...(until ? [`${moment} < ${value(until, 'timestamptz')}`] : []),
    ...(after && id
      ? [
          // For the days that are left out, which a comparison of rows does not tell.
          `${moment} <= ${value(after.recordedAt, 'timestamptz')}`,
          `(${moment}, id) ${place === 0 ? '<' : '<='} (${value(after.recordedAt, 'timestamptz')}, ${value(id, 'uuid')})`,
        ]
      : []),
  ].join(' and ');
}

/** Batches that contain each of what is searched for, if perhaps not in one entry. */
function contentOf(query: JournalQuery, value: Value): string[] {
  const { accountId, programmaticCode, operationId, effect, rewarded = false } = query;
  return [
    ...(accountId === undefined ? [] : [`account_ids @> array[${value(accountId, 'uuid')}]`]),
    ...(programmaticCode === undefined ? [] : [`programmatic_codes @> array[${value(programmaticCode, 'text')}]`]),
    ...(effect === undefined ? [] : [`effects @> array[${value(effect, 'int2')}]`]),
    ...(rewarded ? [`effects && array[${REWARDING.map((each) => value(each, 'int2')).join()}]`] : []),
    ...(operationId === undefined ? [] : [`operation_hashes @> array[${value(operationHash(operationId), 'int')}]`]),
  ];
}

/** What a query wants of some batches, the latest first. */
function entriesOf(batches: readonly Batch[], query: JournalQuery): JournalEntryRow[] {
  return batches.flatMap((batch) => {
    const rows = batch.entries.flatMap((stored, place): JournalEntryRow[] => {
      if (stored === 0) return [];
      const [occurredAtMs, code, effect, operationId, reason, missionId, details] = stored;
      const row = {
        ...{ id: placeIn(batch, place), recordedAt: batch.recordedAt, occurredAt: new Date(occurredAtMs), effect },
        accountId: batch.accountIds[place] ?? null,
        programmaticCode: batch.programmaticCodes[code]!,
        operationId: operationId === 0 ? null : operationId,
        reason: reason === 0 ? null : reason,
        missionId: missionId === 0 ? null : missionId,
        details: details === 0 ? null : details,
      };
      return isWanted(row, query) ? [row] : [];
    });
    return rows.toReversed();
  });
}

function isWanted(row: JournalEntryRow, { after, ...query }: JournalQuery): boolean {
  const { accountId = row.accountId, programmaticCode = row.programmaticCode } = query;
  const { operationId = row.operationId, effect = row.effect } = query;
  if (row.accountId !== accountId || row.programmaticCode !== programmaticCode) return false;
  if (row.operationId !== operationId || row.effect !== effect) return false;
  if (query.rewarded === true && (row.details?.r ?? []).length === 0) return false;
  return after === undefined || row.recordedAt < after.recordedAt || row.id < after.id;
}

/** The id of an entry: that of its batch and its place there, in digits that sort. */
function placeIn({ id }: { readonly id: string }, place: number): string {
  return `${id}.${String(place).padStart(3, '0')}`;
}

/** The form of {@link placeIn}. */
export const ENTRY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d{3}$/;

function batchOf({ id }: JournalPlace): readonly [id: string, place: number] {
  const [batch = '', place] = id.split('.');
  return [batch, Number(place)];
}
