import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type Batch, PROGRESS, selectBatches } from './change-batch.queries.ts';
import { type Feed, selectFeed } from './change-feed.queries.ts';
import type { FedChange } from './collect-changes.ts';
import { markOf, type Place, placeOf } from './cursor.ts';

/** A line of a batch: a change, or one without a kind. */
export type ChangeLine = Omit<NumberedChange, 'kind'> & {
  /** Undefined for the change of an erased account, and for progress. */
  readonly kind: FedChange['kind'] | undefined;
  /** Ids of batches of the journal that moved missions; none in a change. */
  readonly journalBatchIds: readonly string[];
};

/** A change as the feed has it. */
export type NumberedChange = FedChange & { readonly place: Place; readonly occurredAt: Date };

/** Some changes of a feed. */
export type ReadChanges = {
  readonly changes: readonly NumberedChange[];
  readonly next: Place;
  readonly hasMore: boolean;
};

/** The changes to read. */
export type ChangesQuery = {
  readonly after?: string | undefined;
  readonly limit: number;
  /** All kinds if it is empty. */
  readonly kinds: ReadonlySet<string>;
};

/** Batches in one statement, of which each may have 200 KB. */
const PAGE = 50;

/** Batches that one call reads, if most changes are of other kinds. */
const BATCHES_MAX = 1_000;

/**
 * Reads the changes behind a cursor.
 * @throws DomainError `CHANGE_FEED_OFF`, `CHANGES_GONE`, `CHANGES_DIVERGED`, `BAD_REQUEST`
 */
export async function readChanges(uow: UnitOfWork, { after, limit, kinds }: ChangesQuery): Promise<ReadChanges> {
  const feed = await requireFeed(uow);
  const start = after === undefined ? { number: feed.deletedUpTo, mark: undefined } : placeOf(after);
  if (start.number < feed.deletedUpTo) throw gone();
  const changes: NumberedChange[] = [];
  let next: Place = start;
  for (let read = 0, from = firstNumber(start, feed); read < BATCHES_MAX; read += PAGE) {
    const batches = await selectBatches(uow, from, PAGE);
    if (read === 0) checkStart(start, feed, batches, after !== undefined);
    for (const batch of batches) {
      for (const change of linesOf(batch)) {
        if (change.place.number <= next.number) continue;
        if (changes.length === limit) return { changes, next, hasMore: true };
        next = change.place;
        if (isKnown(change) && (kinds.size === 0 || kinds.has(change.kind))) changes.push(change);
      }
    }
    if (batches.length < PAGE) return { changes, next, hasMore: false };
    from = next.number + 1;
  }
  return { changes, next, hasMore: true };
}

/**
 * The feed of the client.
 * @throws DomainError `CHANGE_FEED_OFF`
 */
export async function requireFeed(uow: UnitOfWork): Promise<Feed> {
  const feed = await selectFeed(uow);
  if (feed.keepDays > 0) return feed;
  throw new DomainError(
    'CHANGE_FEED_OFF',
    sentence`This client keeps no changes. An administrator switches the feed on by \`PUT /v1/change-feed\`, with the days to keep them.`,
  );
}

/**
 * The place of a cursor, if its successors are in the feed.
 * @throws DomainError `CHANGES_GONE`, `CHANGES_DIVERGED`, `BAD_REQUEST`
 */
export async function requirePlace(uow: UnitOfWork, feed: Feed, after: string): Promise<Place> {
  const place = placeOf(after);
  if (place.number < feed.deletedUpTo) throw gone();
  checkStart(place, feed, await selectBatches(uow, firstNumber(place, feed), 1), true);
  return place;
}

/** The place behind the last change. */
export async function endOf(uow: UnitOfWork, { number, deletedUpTo }: Feed): Promise<Place> {
  const [batch] = number > deletedUpTo ? await selectBatches(uow, number, 1) : [];
  return { number, mark: batch && markOf(batch.id) };
}

/** The number to read from: the change of the cursor is read again, because its batch proves that the feed is the same. */
function firstNumber({ number }: Place, { deletedUpTo }: Feed): number {
  return number > deletedUpTo ? number : number + 1;
}

/** @throws DomainError if the first batch is not the one of the cursor, or not its successor */
function checkStart(start: Place, feed: Feed, [batch]: readonly Batch[], isStated: boolean): void {
  if (!isStated) return;
  const hasBatch = start.number > feed.deletedUpTo;
  if (batch === undefined) {
    if (hasBatch) throw diverged();
    return;
  }
  const first = batch.number - linesOf(batch).length + 1;
  if (first > start.number + (hasBatch ? 0 : 1)) throw gone();
  if (hasBatch && markOf(batch.id) !== start.mark) throw diverged();
}

/** The lines of a batch, in their order. */
export function linesOf(batch: Batch): ChangeLine[] {
  const lines = batch.body.split('\n');
  const mark = markOf(batch.id);
  return lines.map((line, index) => {
    const space = line.indexOf(' ');
    const word = space < 0 ? undefined : line.slice(0, space);
    const text = line.slice(space + 1);
    return {
      kind: word === PROGRESS ? undefined : (word as FedChange['kind'] | undefined),
      json: text,
      journalBatchIds: word === PROGRESS ? text.split(' ') : [],
      place: { number: batch.number - lines.length + 1 + index, mark },
      occurredAt: batch.createdAt,
    };
  });
}

/** Whether the line is a change that is there: that of an erased account is not. */
export function isKnown(line: ChangeLine): line is ChangeLine & NumberedChange {
  return line.kind !== undefined;
}

function gone(): DomainError {
  return new DomainError(
    'CHANGES_GONE',
    sentence`Changes behind \`after\` are no longer kept. Read the end of the feed (\`GET /v1/change-feed\`), then the present state of the accounts, and continue with that end.`,
  );
}

function diverged(): DomainError {
  return new DomainError(
    'CHANGES_DIVERGED',
    sentence`The change of \`after\` is not in this database, which was restored to an earlier moment. Read the end of the feed (\`GET /v1/change-feed\`), then the present state of the accounts, and continue with that end.`,
  );
}

/** The 410 of a stream whose cursor is so old that reading the account is faster. */
export function tooFarBehind(): DomainError {
  return new DomainError(
    'CHANGES_GONE',
    sentence`\`after\` (\`Last-Event-ID\`) is too far back for a stream. Open one without it, and then read the account.`,
  );
}
