import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../../../gen/laurel/v1/change_pb.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { selectBatches } from '../change-batch.queries.ts';
import { selectFeed } from '../change-feed.queries.ts';
import { toChangeMessage } from '../change-message.ts';
import type { Place } from '../cursor.ts';
import type { FeedEnds } from '../feed-ends.ts';
import { type ChangeLine, isKnown, linesOf, type NumberedChange } from '../read-changes.ts';
import { accountsOf } from './account-of-change.ts';
import type { Listener } from './listener.ts';
import { progressByAccount, progressIn, type ProgressBatch, type ReadProgress } from './progress.ts';

/** Batches in one statement. */
const PAGE = 50;

/** A listener that is at most so many changes behind is near: it does not wait for those that are far behind. */
const NEAR = 20_000;

/** Milliseconds until the next try after a failure, and between two reads that find whether the feed is still the same. */
const RETRY_MS = 500;
const REREAD_MS = 15_000;

/** Reads the feed of one client once for all listeners of this process. */
export type Tail = {
  /** The place up to which it has read. */
  readonly place: Place;
  /** From now on a listener is told everything behind its place. */
  join(listener: Listener): void;
  leave(listener: Listener): void;
  /** Whether it has ended, and all its listeners with it. */
  readonly isOver: boolean;
  /** Whether a listener has everything up to the place of the tail. */
  isLive(listener: Listener): boolean;
  stop(): void;
};

type Means = {
  readonly db: Pick<Database, 'unitOfWork'>;
  readonly ends: FeedEnds;
  /** Undefined without a journal. */
  readonly readProgress: ReadProgress | undefined;
  readonly clientId: string;
};

/** Lines of the feed, with the batches of the journal that they name. */
type Page = {
  readonly lines: readonly ChangeLine[];
  readonly progress: ReadonlyMap<string, ProgressBatch>;
  /** Whether more batches may follow. */
  readonly isFull: boolean;
};

/** Listeners by account. */
type Listeners = Map<string, Set<Listener>>;

/** A tail that begins behind a place. */
export function createTail({ db, ends, readProgress, clientId }: Means, start: Place): Tail {
  let at = start;
  const live: Listeners = new Map();
  /** Listeners that have yet to be told what came before `at`, with the number up to which they have been told. */
  const behind = new Map<Listener, number>();
  const stop = new AbortController();
  let catchingUp = false;
  let isOver = false;

  function endAll(): void {
    isOver = true;
    stop.abort();
    for (const listener of [...live.values()].flatMap((all) => [...all])) listener.end();
    for (const listener of behind.keys()) listener.end();
  }

  async function readPage(uow: UnitOfWork, from: number): Promise<Page> {
    const batches = await selectBatches(uow, from, PAGE);
    const lines = batches.flatMap(linesOf);
    return { lines, progress: await progressIn(uow, lines, readProgress), isFull: batches.length === PAGE };
  }

  async function read(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        const { feed, page } = await db.unitOfWork(clientId, async (uow) => ({
          feed: await selectFeed(uow),
          page: await readPage(uow, at.number + 1),
        }));
        // The feed was switched off, or restored. A new stream gets the reason.
        if (feed.keepDays === 0 || feed.deletedUpTo > at.number || feed.number < at.number) return endAll();
        at = tellAll(page, live) ?? at;
        if (page.isFull) continue;
      } catch {
        await sleep(RETRY_MS);
        continue;
      }
      const isLeft = !(await ends.beyond(clientId, at.number, { withinMs: REREAD_MS, gone: stop.signal }));
      if (isLeft) return endAll();
    }
    return undefined;
  }

  /** Reads on for those that are behind: the near ones first, the others with pauses. One read serves all that it passes. */
  async function catchUp(): Promise<void> {
    if (catchingUp) return;
    catchingUp = true;
    while (behind.size > 0 && !stop.signal.aborted) {
      const begun = performance.now();
      const near = [...behind].filter(([, number]) => number >= at.number - NEAR);
      const group = near.length > 0 ? near : [...behind];
      const from = group.reduce((least, [, number]) => Math.min(least, number), Infinity);
      try {
        if (from < at.number) await catchUpFrom(from);
        promote();
      } catch {
        await sleep(RETRY_MS);
      }
      if (near.length === 0) await sleep(performance.now() - begun);
    }
    catchingUp = false;
  }

  async function catchUpFrom(from: number): Promise<void> {
    const page = await db.unitOfWork(clientId, (uow) => readPage(uow, from + 1));
    // Between the read and now others may have come, from other places.
    const passed = [...behind].filter(([, number]) => number >= from);
    const group: Listeners = new Map();
    for (const [listener] of passed) addTo(group, listener);
    const first = page.lines[0]?.place.number;
    const last = tellAll(page, group)?.number;
    // The place of the tail is in the feed: if nothing is there, the feed is another one.
    if (first === undefined || last === undefined) return endAll();
    for (const [listener, number] of passed) {
      // Changes in between were deleted meanwhile. A new stream gets the reason.
      if (first > number + 1) listener.end();
      if (behind.has(listener)) behind.set(listener, Math.max(number, last));
    }
    return undefined;
  }

  /** Listeners that have reached the tail are live from now on. A change that both have read is told once, as a listener knows its place. */
  function promote(): void {
    for (const [listener, number] of behind) {
      if (number < at.number) continue;
      behind.delete(listener);
      addTo(live, listener);
    }
  }

  void read();
  return {
    get place() {
      return at;
    },
    get isOver() {
      return isOver;
    },
    join(listener) {
      behind.set(listener, listener.place.number);
      promote();
      if (behind.size > 0) void catchUp();
    },
    leave(listener) {
      behind.delete(listener);
      const own = live.get(listener.accountId);
      own?.delete(listener);
      if (own?.size === 0) live.delete(listener.accountId);
    },
    isLive: (listener) => !behind.has(listener),
    stop: () => stop.abort(),
  };
}

function addTo(listeners: Listeners, listener: Listener): void {
  const own = listeners.get(listener.accountId) ?? new Set();
  listeners.set(listener.accountId, own.add(listener));
}

/** The changes and the progress of a page go to their listeners. @returns the place of its last line */
function tellAll({ lines, progress }: Page, listeners: Listeners): Place | undefined {
  for (const line of lines) {
    if (isKnown(line)) tellChange(line, listeners);
    const moved = line.journalBatchIds.flatMap((id) => progress.get(id) ?? []);
    tellProgress(moved, line.place, listeners);
  }
  return lines.at(-1)?.place;
}

function tellChange(change: NumberedChange, listeners: Listeners): void {
  for (const accountId of accountsOf(change)) {
    let message: Change | undefined;
    const make = () => (message ??= toChangeMessage(change));
    for (const listener of listeners.get(accountId) ?? []) listener.tell(change.kind, change.place, make);
  }
}

function tellProgress(moved: readonly ProgressBatch[], place: Place, listeners: Listeners): void {
  for (const [accountId, progress] of progressByAccount(moved, (id) => listeners.has(id)))
    for (const listener of listeners.get(accountId)!) listener.tellProgress(place, progress);
}
