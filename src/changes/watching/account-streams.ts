import { Change_KindSchema } from '../../../gen/laurel/v1/change_pb.ts';
import type { WatchAccountRequest } from '../../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { Readmission } from '../../clients/credentials/readmission.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { Feed } from '../change-feed.queries.ts';
import type { Place } from '../cursor.ts';
import type { FeedEnds } from '../feed-ends.ts';
import { endOf, requireFeed, requirePlace, tooFarBehind } from '../read-changes.ts';
import { Listener } from './listener.ts';
import type { ReadProgress } from './progress.ts';
import { createStreamCounts, STREAM_LIMITS, type StreamLimits } from './stream-limits.ts';
import { createTail, type Tail } from './tail.ts';

/** The open streams of accounts in a process. */
export type AccountStreams = {
  /**
   * Opens a stream; the caller leaves it.
   * @throws DomainError `ACCOUNT_NOT_FOUND`, `CHANGE_FEED_OFF`, `CHANGES_GONE`, `CHANGES_DIVERGED`, `RATE_LIMITED`, `BAD_REQUEST`
   */
  open(call: Call, request: WatchAccountRequest): Promise<Opened>;
  /** The number of open streams. */
  count(): number;
  /** Ends all streams; their readers continue with another process. */
  close(): void;
};

/** An open stream. */
export type Opened = { readonly listener: Listener; readonly leave: () => void };

/** The tail of a client, and the number of its listeners. */
type Shared = { readonly tail: Tail; listeners: number };

/** The times of a stream in milliseconds. */
type Times = {
  /** Between two heartbeats: less than the minute after which proxies give up. */
  readonly beatMs: number;
  /** Its length, from one to two times this: processes that were restarted together so do not lose all readers at once. */
  readonly lastsMs: number;
};

const TIMES: Times = { beatMs: 30_000, lastsMs: 600_000 };

/** Milliseconds between two checks of the clock and of credentials: a revocation ends streams within five seconds. */
const CHECK_MS = 1_000;

/** A reader that is further behind reads the state of the account again: the feed has all accounts, and is read for one of them. */
const BEHIND_MAX = 500_000;

/** The dependencies of streams. */
export type StreamMeans = {
  readonly db: Pick<Database, 'unitOfWork'>;
  readonly ends: FeedEnds;
  readonly readmission: Readmission;
  /** The id of an account. @throws DomainError `ACCOUNT_NOT_FOUND`, `BAD_REQUEST` */
  readonly accountToWatch: (uow: UnitOfWork, ref: Pick<WatchAccountRequest, 'accountId' | 'idType'>) => Promise<string>;
  /** Undefined without a journal: streams have no progress then. */
  readonly readProgress?: ReadProgress | undefined;
  readonly limits?: StreamLimits;
  readonly times?: Times;
};

/** The streams of a process. */
export function createAccountStreams({
  db,
  ends,
  readmission,
  accountToWatch,
  readProgress,
  limits = STREAM_LIMITS,
  times = TIMES,
}: StreamMeans): AccountStreams {
  const counts = createStreamCounts(limits);
  /** The tails by client. */
  const tails = new Map<string, Shared>();
  const listeners = new Map<Listener, Shared>();
  let timer: NodeJS.Timeout | undefined;
  let asking = false;
  let closed = false;

  function check(): void {
    const now = performance.now();
    for (const [listener, { tail }] of listeners) {
      if (now >= listener.endsAt) listener.end();
      else if (now >= listener.beatAt) beat(listener, tail, now);
    }
    if (!asking) void askAgain();
  }

  function beat(listener: Listener, tail: Tail, now: number): void {
    listener.beatAt = now + times.beatMs;
    listener.beat(tail.isLive(listener) ? tail.place : listener.place);
  }

  /** Ends the streams whose credentials have expired or were revoked. */
  async function askAgain(): Promise<void> {
    asking = true;
    try {
      for (const listener of await readmission.refused([...listeners.keys()])) listener.end();
    } catch {
      // Without the database nothing is told either; the next check asks again.
    } finally {
      asking = false;
    }
  }

  function enter(listener: Listener, end: Place): void {
    const { clientId } = listener;
    let shared = tails.get(clientId);
    if (shared === undefined || shared.tail.isOver) {
      shared = { tail: createTail({ db, ends, readProgress, clientId }, end), listeners: 0 };
      tails.set(clientId, shared);
    }
    shared.listeners += 1;
    listeners.set(listener, shared);
    timer ??= setInterval(check, CHECK_MS).unref();
    shared.tail.join(listener);
  }

  function leave(listener: Listener): void {
    const shared = listeners.get(listener);
    if (shared === undefined) return;
    listeners.delete(listener);
    shared.tail.leave(listener);
    shared.listeners -= 1;
    if (shared.listeners === 0) {
      shared.tail.stop();
      if (tails.get(listener.clientId) === shared) tails.delete(listener.clientId);
    }
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    async open(
      { db: callDb, principal, context },
      { accountId: asked, idType, after, kinds, progress = kinds.length === 0 },
    ) {
      const { clientId } = principal;
      const { accountId, feed, start, end } = await callDb.unitOfWork(clientId, async (uow) => {
        const id = await accountToWatch(uow, { accountId: asked, idType });
        const present = await requireFeed(uow);
        const last = await endOf(uow, present);
        return {
          accountId: id,
          feed: present,
          end: last,
          start: after === undefined ? last : await requirePlace(uow, present, after),
        };
      });
      requireNear(start, feed);
      const free = counts.enter(clientId, accountId);
      const now = performance.now();
      const wish = {
        clientId,
        accountId,
        start,
        progress: progress && readProgress !== undefined,
        kinds: new Set(kinds.map((kind) => Change_KindSchema.value[kind]!.name)),
      };
      const authorization = principal.account ? undefined : (context.requestHeader.get('authorization') ?? undefined);
      const ended = { endsAt: now + times.lastsMs * (1 + Math.random()), beatAt: now + times.beatMs };
      const listener = new Listener(wish, { principal, authorization }, ended);
      const gone = () => listener.end();
      context.signal.addEventListener('abort', gone, { once: true });
      enter(listener, end);
      if (closed || context.signal.aborted) listener.end();
      return {
        listener,
        leave() {
          context.signal.removeEventListener('abort', gone);
          leave(listener);
          free();
        },
      };
    },
    count: counts.open,
    close() {
      closed = true;
      for (const listener of listeners.keys()) listener.end();
    },
  };
}

function requireNear(start: Place, { number }: Feed): void {
  if (number - start.number > BEHIND_MAX) throw tooFarBehind();
}
