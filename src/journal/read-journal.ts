import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { firstUseOf } from '../idempotency/operations.queries.ts';
import { momentOfId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import {
  type Batch,
  batchesAfter,
  batchesByKey,
  batchesById,
  batchesNear,
  countRecent,
  foundBatches,
  type BatchKey,
  type JournalQuery,
  keptPeriod,
  latestBatches,
  recentBatches,
} from './journal-batches.ts';
import { entryId } from './entry-id.ts';
import { EFFECTS_WITHOUT_EVENT, entryNames, entryRow, type JournalEntryRow } from './journal-row.ts';

/** The latest batches that are read to estimate the frequency of a value. */
const RECENT = 64;

/** The most batches that are read for a common value. */
const RECENT_MAX = 1_024;

/** The number of matches among them from which a value is common. */
const COMMON = 8;

/** A value in fewer batches is rare: one search finds them in all days. */
const RARE_MAX = 1_000;

const DAY_MS = 86_400_000;

/**
 * The latest entries of a query, `limit` at most. Common values are found among the latest batches. Rare values are
 * found by the index of the batches' contents: for all days at once if there are few matches, otherwise day by day,
 * because that index has no order.
 * @param isOver whether the time for reading is over; the entries found so far are answered then
 */
export async function journalEntries(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  isOver: IsOver = () => false,
): Promise<JournalEntryRow[]> {
  // The plan depends on the values, which exclude partitions by day.
  await uow.set({ plan_cache_mode: 'force_custom_plan' });
  if (!isSearch(query)) return walk(uow, query, limit, { batchesOf: latestBatches, isOver });
  const { operationId } = query;
  if (operationId === undefined) return search(uow, query, limit, isOver);
  const found = await search(uow, query, limit, isOver);
  // Older releases stored a hash of every id, so the search may have found the event already.
  const first = (await entryOfOperation(uow, { ...query, operationId })).filter(({ id }) =>
    found.every((other) => other.id !== id),
  );
  return [...first, ...found].toSorted(latestFirst).slice(0, limit);
}

/** {@link journalEntries} of several accounts together: an account, and those that were merged into it. */
export async function journalEntriesOf(
  uow: UnitOfWork,
  accountIds: readonly string[],
  query: Omit<JournalQuery, 'accountId'>,
  limit: number,
): Promise<JournalEntryRow[]> {
  const found = await Promise.all(accountIds.map((accountId) => journalEntries(uow, { ...query, accountId }, limit)));
  return found.length === 1 ? found[0]! : found.flat().toSorted(latestFirst).slice(0, limit);
}

/** The order of entries in answers. */
export function latestFirst(one: JournalEntryRow, other: JournalEntryRow): number {
  return other.recordedAt.getTime() - one.recordedAt.getTime() || (one.id < other.id ? 1 : -1);
}

/** Milliseconds between an operation and its entry in one transaction: usual values first, the maximum last. */
const NEAR_MS = [2_000, 60_000, 3_600_000];

/** Milliseconds between an operation and its entry within which the journal is scanned by time: first the usual ones. */
const SCANNED_MS = [100, 1_000];

/** The event that first used an operation id, found by its account and its time, because its batch has no hash of the id. */
async function entryOfOperation(
  uow: UnitOfWork,
  query: JournalQuery & { readonly operationId: string },
): Promise<JournalEntryRow[]> {
  const use = await firstUseOf(uow, query.operationId);
  if (!use?.accountId || (query.accountId ?? use.accountId) !== use.accountId) return [];
  return entriesAround(uow, { ...query, accountId: use.accountId }, use.createdAt, 1);
}

/** The entries, at most `limit`, that match a query nearest to the time of an operation; none if the journal does not have them any more. */
async function entriesAround(
  uow: UnitOfWork,
  query: JournalQuery,
  createdAt: Date,
  limit: number,
): Promise<JournalEntryRow[]> {
  const at = createdAt.getTime();
  const batchesOf: Batches = (unit, asked, count) => foundBatches(unit, { ...asked, operationId: undefined }, count);
  for (const near of NEAR_MS) {
    const from = new Date(Math.max(at - near, query.from?.getTime() ?? -Infinity));
    const until = new Date(Math.min(at + near, query.until?.getTime() ?? Infinity));
    const found = await walk(uow, { ...query, from, until }, limit, { batchesOf });
    if (found.length > 0) return found;
  }
  return [];
}

/** An applied event: its code, its operation id and its account, and the time at which the operation was stored. */
export type AppliedOperation = Required<Pick<JournalQuery, 'accountId' | 'programmaticCode' | 'operationId'>> & {
  readonly createdAt: Date;
};

/** The entries of applied events, in their order; undefined for one that the journal does not have any more. */
export async function entriesOfEvents(
  uow: UnitOfWork,
  events: readonly AppliedOperation[],
): Promise<(JournalEntryRow | undefined)[]> {
  // The plan depends on the times, which exclude partitions.
  if (events.length > 0) await uow.set({ plan_cache_mode: 'force_custom_plan' });
  const entries = new Map<string, JournalEntryRow>();
  for (const near of SCANNED_MS) {
    const missing = events.filter((event) => !entries.has(keyOfEvent(event)));
    const wanted = missing.map(({ accountId, createdAt }) => ({ accountId, at: createdAt }));
    for (const entry of entriesOf(await batchesNear(uow, wanted, near), {})) {
      const { accountId, operationId } = entry;
      if (accountId !== null && operationId !== null && entry.effect !== Effect.REVERSED)
        entries.set(keyOfEvent({ ...entry, accountId, operationId }), entry);
    }
  }
  return Promise.all(
    events.map(async (event) => {
      const { createdAt, ...named } = event;
      const scanned = entries.get(keyOfEvent(event));
      // A reversal may have the operation id of its event.
      return (
        scanned ?? (await entriesAround(uow, named, createdAt, 2)).find(({ effect }) => effect !== Effect.REVERSED)
      );
    }),
  );
}

/** The key of an event among those of its client. */
function keyOfEvent({ accountId, programmaticCode, operationId }: Omit<AppliedOperation, 'createdAt'>): string {
  return `${accountId} ${programmaticCode.length} ${programmaticCode} ${operationId}`;
}

/** One entry; undefined if it is not there. */
export async function entryById(uow: UnitOfWork, id: string): Promise<JournalEntryRow | undefined> {
  const batchId = id.slice(0, id.indexOf('.'));
  const at = momentOfId(batchId).getTime();
  for (const near of NEAR_MS) {
    const batches = await batchesById(uow, [batchId], { from: new Date(at - near), until: new Date(at + near) });
    const found = entriesOf(batches, {}).find((entry) => entry.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Batches that one read of {@link nextEvents} looks at; most of them need not have the code. */
const SCANNED_BATCHES = 500;

/** The applied events of a code after a batch, in the order of the journal. */
export type NextEvents = {
  readonly events: readonly JournalEntryRow[];
  /** The batch after which the next read continues; undefined at the end. */
  readonly last: BatchKey | undefined;
};

/**
 * The next applied events of a code that were recorded after a batch and before `until`: those of at most 500 batches.
 * @param entriesMax the entries after which no further batch is read, of all codes
 */
export async function nextEvents(
  uow: UnitOfWork,
  query: { readonly programmaticCode: string; readonly after: BatchKey; readonly until: Date },
  entriesMax: number,
): Promise<NextEvents> {
  // The plan depends on the times, which exclude partitions.
  await uow.set({ plan_cache_mode: 'force_custom_plan' });
  const scanned = await batchesAfter(uow, query, SCANNED_BATCHES);
  let entries = 0;
  let used = 0;
  for (const { isWanted, size } of scanned) {
    if (entries >= entriesMax) break;
    used += 1;
    if (isWanted) entries += size;
  }
  const read = scanned.slice(0, used);
  const batches = await batchesByKey(
    uow,
    read.filter(({ isWanted }) => isWanted),
  );
  const found = entriesOf(batches, { programmaticCode: query.programmaticCode });
  return {
    events: found.filter(({ accountId, effect }) => accountId !== null && !EFFECTS_WITHOUT_EVENT.includes(effect)),
    last: read.at(-1),
  };
}

/** The entries that match a query, found by their content. */
async function search(uow: UnitOfWork, query: JournalQuery, limit: number, isOver: IsOver): Promise<JournalEntryRow[]> {
  return (
    (await commonEntries(uow, query, limit, isOver)) ??
    (await fewEntries(uow, query, limit, isOver)) ??
    entriesByDay(uow, query, limit, isOver)
  );
}

/**
 * The matches of a common value in the latest batches, one and a half times as far back as expected. Undefined for a rare value, or if
 * there are too few matches.
 */
async function commonEntries(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  isOver: IsOver,
): Promise<JournalEntryRow[] | undefined> {
  const among = await countRecent(uow, query, RECENT);
  if (among < COMMON) return undefined;
  const window = Math.min(Math.ceil((1.5 * limit * RECENT) / among), RECENT_MAX);
  const batchesOf: Batches = (unit, asked, count) => recentBatches(unit, asked, { window, count });
  const found = await walk(uow, query, limit, { batchesOf, count: 16, isOver });
  return found.length < limit && !isOver() ? undefined : found;
}

/** The matches of a rare value; undefined if there are many. */
async function fewEntries(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  isOver: IsOver,
): Promise<JournalEntryRow[] | undefined> {
  const found: JournalEntryRow[] = [];
  for (let behind = query; ;) {
    const batches = await foundBatches(uow, behind, RECENT, RARE_MAX);
    if (batches.some((batch) => batch.found >= RARE_MAX)) return undefined;
    found.push(...entriesOf(batches, query));
    const last = batches.at(-1);
    if (found.length >= limit || last === undefined || batches.length < RECENT || isOver())
      return found.slice(0, limit);
    behind = { ...query, after: { recordedAt: last.recordedAt, id: entryId(last, 0) } };
  }
}

/** The matches of a value that is in many batches, but not in the latest ones. */
async function entriesByDay(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  isOver: IsOver,
): Promise<JournalEntryRow[]> {
  const found: JournalEntryRow[] = [];
  const batchesOf: Batches = (unit, asked, count) => foundBatches(unit, asked, count);
  const kept = await keptPeriod(uow);
  if (kept === undefined) return found;
  const oldest = Math.max(kept.oldest.getTime(), query.from?.getTime() ?? 0);
  let until = Math.min(kept.newest.getTime(), query.after?.recordedAt.getTime() ?? Infinity) + 1;
  if (query.until) until = Math.min(until, query.until.getTime());
  while (until > oldest && found.length < limit && !isOver()) {
    const from = Math.max(Math.floor((until - 1) / DAY_MS) * DAY_MS, oldest);
    const day = { ...query, from: new Date(from), until: new Date(until) };
    found.push(...(await walk(uow, day, limit - found.length, { batchesOf, count: RECENT, isOver })));
    until = from;
  }
  return found;
}

function isSearch({ rewarded = false, accountId, programmaticCode, operationId, effect }: JournalQuery): boolean {
  return rewarded || [accountId, programmaticCode, operationId, effect].some((wanted) => wanted !== undefined);
}

/** Reads the latest batches that may match a query, at most `limit`. */
type Batches = (uow: UnitOfWork, query: JournalQuery, limit: number) => Promise<Batch[]>;

/** Whether the time for reading is over. */
type IsOver = () => boolean;

/** Reads batches backwards until `limit` entries are found; the first step reads `count` batches. */
async function walk(
  uow: UnitOfWork,
  query: JournalQuery,
  limit: number,
  options: { readonly batchesOf: Batches; readonly count?: number; readonly isOver?: IsOver },
): Promise<JournalEntryRow[]> {
  const { batchesOf, isOver = () => false } = options;
  const found: JournalEntryRow[] = [];
  let behind = query;
  for (let count = options.count ?? 8; ; count = Math.min(count * 2, RECENT)) {
    const batches = await batchesOf(uow, behind, count);
    found.push(...entriesOf(batches, query));
    const last = batches.at(-1);
    if (found.length >= limit || last === undefined || batches.length < count || isOver()) return found.slice(0, limit);
    behind = { ...query, after: { recordedAt: last.recordedAt, id: entryId(last, 0) } };
  }
}

/** The matching entries of some batches, the latest first. */
function entriesOf(batches: readonly Batch[], query: JournalQuery): JournalEntryRow[] {
  return batches.flatMap((batch) => {
    const names = entryNames(batch);
    const rows = batch.entries.flatMap((stored, index): JournalEntryRow[] => {
      if (stored === 0) return [];
      const row = {
        id: entryId(batch, index),
        recordedAt: batch.recordedAt,
        accountId: batch.accountIds[index] ?? null,
        programmaticCode: batch.programmaticCodes[stored[1]]!,
        ...entryRow(stored, names),
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
  if (query.rewarded === true && (row.details?.rewards ?? []).length === 0) return false;
  return after === undefined || row.recordedAt < after.recordedAt || row.id < after.id;
}
