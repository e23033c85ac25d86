import { JournalEntry_Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { lookUpByKey } from '../persistence/by-keys.ts';
import { columnsOf, propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { journalBatchTable } from './journal-batch.entity.ts';
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

/** The effects of events that may have earned a reward. */
const REWARDING = [JournalEntry_Effect.COMPLETED, JournalEntry_Effect.CAMPAIGN_COMPLETED];

/** From when to when there are entries; undefined where there are none. */
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

const COLUMNS = propertiesOf(journalBatchTable, [
  'recordedAt',
  'id',
  'accountIds',
  'programmaticCodes',
  'missionIds',
  'entries',
]);

/** Batches with what a query wants of them; see {@link wantedOf}. */
const WANTED = propertiesOf(journalBatchTable, ['recordedAt', 'id', 'programmaticCodes', 'missionIds'], 'b');

const ALL = columnsOf(journalBatchTable, [
  'recordedAt',
  'id',
  'accountIds',
  'programmaticCodes',
  'effects',
  'operationHashes',
  'missionIds',
  'entries',
]);
export type Batch = RowOf<typeof COLUMNS>;

/** Those of a period. */
export function latestBatches(uow: UnitOfWork, query: JournalQuery, limit: number): Promise<Batch[]> {
  const { values, value } = parametersOf(uow);
  return uow.query<Batch>(
    `select ${COLUMNS} from journal_batch where ${periodOf(query, value)}
      order by recorded_at desc, id desc limit ${value(limit, 'bigint')}`,
    values,
  );
}

/** How many of the latest `window` of a period contain what a query searches for. */
export async function countRecent(uow: UnitOfWork, query: JournalQuery, window: number): Promise<number> {
  const { values, value } = parametersOf(uow);
  const [row] = await uow.query<{ count: string }>(
    `select count(*) from ${recentOf(query, window, value)} where ${contentOf(query, value).join(' and ')}`,
    values,
  );
  return Number(row?.count);
}

/** The latest `count` of those. */
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
 * Searches by the index of the batches' contents; the query has no order that would make PostgreSQL scan by time. Each
 * row has the number of matches, of which these are the latest.
 * @param foundMax so many are found at most, and then these need not be the latest
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

/** One of `latest`. A join would walk through all days where they were never analysed. */
const LATEST = { recorded_at: 'latest.recorded_at', id: 'latest.id' };
const BATCH = lookUpByKey({ select: '*', from: 'journal_batch', key: LATEST });

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
 * @param moment SQL of the upper bound of time. It is an expression, so that PostgreSQL uses the index of the contents:
 *   with two constant bounds on a day without statistics it expects few rows and scans the key.
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

/** The id of an entry: that of its batch and its place there, in digits that sort. */
export function placeIn({ id }: { readonly id: string }, place: number): string {
  return `${id}.${String(place).padStart(3, '0')}`;
}

/** The form of {@link placeIn}. */
export const ENTRY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d{3}$/;

function batchOf({ id }: JournalPlace): readonly [id: string, place: number] {
  const [batch = '', place] = id.split('.');
  return [batch, Number(place)];
}
