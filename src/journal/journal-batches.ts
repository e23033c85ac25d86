import { JournalEntry_Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import { columnsOf, propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalBatchTable } from './journal-batch.entity.ts';
import { operationHash } from './journal.queries.ts';

/** The position of an entry: the journal is ordered by these two fields. */
export type JournalPosition = { readonly recordedAt: Date; readonly id: string };

/** The filters of a search; an undefined filter matches every entry. */
export type JournalQuery = {
  readonly accountId?: string | undefined;
  readonly programmaticCode?: string | undefined;
  readonly operationId?: string | undefined;
  /** The number of a `JournalEntry.Effect`. */
  readonly effect?: number | undefined;
  /** Only entries with an earned reward. */
  readonly rewarded?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only entries older than this one. */
  readonly after?: JournalPosition | undefined;
};

/** The effects of events that may have earned a reward. */
const REWARDING = [JournalEntry_Effect.COMPLETED, JournalEntry_Effect.CAMPAIGN_COMPLETED];

/** The times of the oldest and the newest batch; undefined for an empty journal. */
export async function keptPeriod(
  uow: UnitOfWork,
): Promise<{ readonly oldest: Date; readonly newest: Date } | undefined> {
  const at = (order: string) =>
    `(select recorded_at from journal_batch where client_id = $1 order by client_id ${order}, recorded_at ${order} limit 1)`;
  const [row] = await uow.query<{ oldest: Date | null; newest: Date | null }>(
    `select ${at('')} as oldest, ${at('desc')} as newest`,
    [uow.clientId],
  );
  return row?.oldest && row.newest ? { oldest: row.oldest, newest: row.newest } : undefined;
}

/** The time of the oldest entry; undefined for an empty journal. */
export async function oldestEntryAt(uow: UnitOfWork): Promise<Date | undefined> {
  return (await keptPeriod(uow))?.oldest;
}

const COLUMNS = propertiesOf(journalBatchTable, [
  'recordedAt',
  'id',
  'accountIds',
  'programmaticCodes',
  'missionIds',
  'statisticIds',
  'entries',
]);

/** The columns of a batch that every query reads; {@link wantedOf} selects the others. */
const WANTED = propertiesOf(
  journalBatchTable,
  ['recordedAt', 'id', 'programmaticCodes', 'missionIds', 'statisticIds'],
  'b',
);

const ALL = columnsOf(journalBatchTable, [
  'recordedAt',
  'id',
  'accountIds',
  'programmaticCodes',
  'effects',
  'operationHashes',
  'missionIds',
  'statisticIds',
  'entries',
]);
export type Batch = RowOf<typeof COLUMNS>;

/** The latest batches within the times of a query, the latest first. */
export function latestBatches(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<Batch[]> {
  const { values, value } = parametersOf(uow);
  return uow.query<Batch>(
    `select ${COLUMNS} from journal_batch where ${periodOf(query, value)}
      order by recorded_at desc, id desc limit ${value(limit, 'bigint')}`,
    values,
  );
}

/** The batches with these ids that were recorded within these times. */
export function batchesById(
  uow: UnitOfWork,
  ids: readonly string[],
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<Batch[]> {
  return uow.query<Batch>(
    `select ${COLUMNS} from journal_batch where client_id = $1 and recorded_at between $2 and $3 and id = any($4::uuid[])`,
    [uow.clientId, from, until, ids],
  );
}

/** A batch without its entries, and whether it has events of a code. */
export type BatchInOrder = {
  readonly recordedAt: Date;
  readonly id: string;
  readonly size: number;
  readonly isWanted: boolean;
};

/** The batches after one, in the order of the journal, that were recorded before a time. */
export function batchesAfter(
  uow: UnitOfWork,
  {
    programmaticCode,
    after,
    until,
  }: { readonly programmaticCode: string; readonly after: BatchKey; readonly until: Date },
  limit: number,
): Promise<BatchInOrder[]> {
  return uow.query<BatchInOrder>(
    // The first comparison excludes partitions by day, which a comparison of rows does not.
    `select recorded_at as "recordedAt", id, cardinality(account_ids) as size, programmatic_codes @> array[$5::text] as "isWanted"
       from journal_batch
      where client_id = $1 and recorded_at >= $2 and (recorded_at, id) > ($2, $3::uuid) and recorded_at < $4
      order by recorded_at, id limit $6`,
    [uow.clientId, after.recordedAt, after.id, until, programmaticCode, limit],
  );
}

/** The key of a batch. */
export type BatchKey = Pick<Batch, 'recordedAt' | 'id'>;

/** Batches by their keys. */
export async function batchesByKey(uow: UnitOfWork, keys: readonly BatchKey[]): Promise<Batch[]> {
  if (keys.length === 0) return [];
  return uow.query<Batch>(
    `select ${WANTED}, b.account_ids as "accountIds", b.entries
       from unnest($2::timestamptz[], $3::uuid[]) as latest(recorded_at, id) cross join ${BATCH} b`,
    [uow.clientId, keys.map(({ recordedAt }) => recordedAt), keys.map(({ id }) => id)],
  );
}

/** The number of matching batches among the latest `window` of the query's times. */
export async function countRecent(uow: UnitOfWork, query: JournalQuery, window: number): Promise<number> {
  const { values, value } = parametersOf(uow);
  const [row] = await uow.query<{ count: string }>(
    `select count(*) from ${recentOf(query, window, value)} where ${contentOf(query, value).join(' and ')}`,
    values,
  );
  return Number(row?.count);
}

/** The latest `count` matching batches among the latest `window`. */
export function recentBatches(
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
 * Searches by the index of the batches' contents; the query has no order that would make PostgreSQL scan by time. Returns the latest
 * `limit` batches; each row has the number of batches found.
 * @param foundMax the most batches found; if it is reached, the rows need not be the latest
 */
export function foundBatches(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  foundMax?: number,
): Promise<FoundBatch[]> {
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

/** The key of one batch of `latest`. A join would walk through all days if they were never analysed. */
const LATEST = { recorded_at: 'latest.recorded_at', id: 'latest.id' };
const BATCH = lookUpByKey({ select: '*', from: 'journal_batch', key: LATEST });

type FoundBatch = Batch & { readonly found: number };

/** An event of an account, and the time at which its operation was stored. */
export type EventNear = { readonly accountId: string; readonly at: Date };

/**
 * The batches that have an entry of these accounts near these times, each batch once. It scans by time, once for all events of one time: 5 ms
 * for 200 events of one batch, against 140 ms by the index of the contents while its list of new entries is long.
 * @param nearMs milliseconds before and after the time of each event; a scan of more than a second reads too many batches
 */
export async function batchesNear(uow: UnitOfWork, events: readonly EventNear[], nearMs: number): Promise<Batch[]> {
  if (events.length === 0) return [];
  return uow.query<Batch>(
    `with found as materialized (
       select distinct f.recorded_at, f.id
         from (select at, array_agg(account_id) as account_ids
                 from unnest($2::uuid[], $3::timestamptz[]) as e(account_id, at) group by at) w
        cross join lateral (
          select recorded_at, id from journal_batch b
           where b.client_id = $1 and b.recorded_at between w.at - $4 * interval '1 ms' and w.at + $4 * interval '1 ms'
             and b.account_ids && w.account_ids offset 0) f
     )
     select ${WANTED}, b.account_ids as "accountIds", b.entries from found latest cross join ${BATCH} b`,
    [uow.clientId, events.map(({ accountId }) => accountId), events.map(({ at }) => at), nearMs],
  );
}

/** Accounts and entries of a batch `b`, by index. With an account id, only that account's entries: a batch has some 28 KB of others. */
function wantedOf({ accountId }: JournalQuery, value: Value): string {
  if (accountId === undefined) return `lateral (select b.account_ids as "accountIds", b.entries)`;
  const account = value(accountId, 'uuid');
  return `lateral (
    select array_agg(case when e.account_id = ${account} then e.account_id end order by e.ordinal) as "accountIds",
           json_agg(case when e.account_id = ${account} then e.entry else '0' end order by e.ordinal) as entries
      from rows from (unnest(b.account_ids), json_array_elements(b.entries)) with ordinality as e(account_id, entry, ordinal))`;
}

type Value = (value: unknown, type: string) => string;

function parametersOf(uow: UnitOfWork): { readonly values: unknown[]; readonly value: Value } {
  const values: unknown[] = [uow.clientId];
  return { values, value: (each, type) => `$${values.push(each)}::${type}` };
}

/** A time that PostgreSQL does not look up in an index by time. */
const UNINDEXED = `recorded_at + interval '0'`;

/**
 * Batches of the query's times. The batch of `after` is included, unless the entry is its first.
 * @param moment SQL of the time for the upper bound. It is an expression, so that PostgreSQL uses the index of the contents: with two
 * constant bounds on a day without statistics it expects few rows and scans the key.
 * @param earliest SQL of the time for the lower bound; an expression if the bound need not exclude partitions
 */
function periodOf(
  { from, until, after }: JournalQuery,
  value: Value,
  moment = 'recorded_at',
  earliest = 'recorded_at',
): string {
  const [id, index] = after ? batchOf(after) : [];
  return [
    'client_id = $1',
    ...(from ? [`${earliest} >= ${value(from, 'timestamptz')}`] : []),
    ...(until ? [`${moment} < ${value(until, 'timestamptz')}`] : []),
    ...(after && id
      ? [
          // Excludes partitions by day, which a comparison of rows does not.
          `${moment} <= ${value(after.recordedAt, 'timestamptz')}`,
          `(${moment}, id) ${index === 0 ? '<' : '<='} (${value(after.recordedAt, 'timestamptz')}, ${value(id, 'uuid')})`,
        ]
      : []),
  ].join(' and ');
}

/** Batches that contain each of the search values, possibly in different entries. */
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

function batchOf({ id }: JournalPosition): readonly [id: string, index: number] {
  const [batch = '', index] = id.split('.');
  return [batch, Number(index)];
}
