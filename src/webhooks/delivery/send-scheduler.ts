import { firstIdAt, momentOfId } from '../../kernel/ids.ts';
import type { Claim, ClaimedMessage, Outcome } from '../outbox/outbox.queries.ts';

/** What one transaction does for one client. Its limit is 0 where only outcomes are to be recorded. */
export type SendBatch = Claim & {
  readonly clientId: string;
  /** To be recorded. */
  readonly outcomes: readonly Outcome[];
};

/** What a send scheduler needs. */
export type SendSchedulerOptions = {
  /** Requests in flight at once, over all clients. */
  readonly concurrency: number;
  /** Runs a batch and gives what it claimed, in order of ids; each must come back by `finished`. A rejection means that nothing was recorded or claimed. */
  readonly take: (batch: SendBatch) => Promise<readonly ClaimedMessage[]>;
};

/** Decides which client's webhooks are claimed next. */
export type SendScheduler = {
  /** The client may have new messages to claim; `released` ones are claimed even before they are due. */
  want(clientId: string, released?: readonly string[]): void;
  /** The client may have messages to claim, and old ones too: of a process that died, or of a transaction that took long. */
  wantAll(clientId: string): void;
  /** A claimed message has its outcome. */
  finished(outcome: Outcome): void;
  /** No more claims; resolves when every outcome is recorded, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
};

/** Batches at once, each holding one database connection. More would only take connections from the calls that cause webhooks. */
const BATCHES_AT_ONCE = 4;

/** Milliseconds that a client rests after a batch failed: the database is away, and asking at once would not bring it back. */
const REST_MS = 500;

/**
 * A client's requests in flight. The number falls by half with each timeout and rises by one with each answer, so that a
 * receiver which answers gets many and a dead one, whose requests take 5 s each, leaves the slots to the others.
 */
const IN_FLIGHT = { min: 4, start: 8, max: 32 } as const;

/**
 * Milliseconds by which a claim begins before the newest message of the claim before it. Messages that are committed
 * later than that are found by `wantAll`. Beginning at the oldest would wade through what was sent: while some transaction
 * stays open for minutes, PostgreSQL cannot clear it away (with 40,000 sent, a quarter of the rate was left; so, all of it).
 */
const OVERLAP_MS = 2_000;

/** Before every id. */
const START = firstIdAt(new Date(0));

/** One client's part of the scheduler. */
type ClientQueue = {
  readonly clientId: string;
  readonly outcomes: Outcome[];
  readonly released: Set<string>;
  wanted: boolean;
  /** Where the next claim begins. */
  from: string;
  /** A batch runs, or it rests after a failed one. */
  busy: boolean;
  inFlight: number;
  inFlightMax: number;
};

/** The scheduler of this process. The client just served goes to the end of the line, so that none starves another. */
export function createSendScheduler({ concurrency, take }: SendSchedulerOptions): SendScheduler {
  // A Map keeps the order of insertion, which is the order of the line.
  const queues = new Map<string, ClientQueue>();
  let running = 0;
  let inFlight = 0;
  let closed: (() => void) | undefined;

  function run(): void {
    for (const queue of queues.values()) {
      if (running >= BATCHES_AT_ONCE) return;
      if (!queue.busy && (queue.outcomes.length > 0 || freeSlotsOf(queue) > 0)) void serve(queue);
    }
    if (queues.size === 0) closed?.();
  }

  async function serve(queue: ClientQueue): Promise<void> {
    const batch = begin(queue);
    const claimed = await take(batch).catch(() => undefined);
    occupy(queue, (claimed?.length ?? 0) - batch.limit);
    running -= 1;
    if (claimed === undefined) return rest(queue, batch);
    // As many as there were free slots: there may be more.
    if (batch.limit > 0 && claimed.length === batch.limit) queue.wanted = true;
    const newest = claimed.at(-1);
    if (newest !== undefined && queue.from === batch.from) queue.from = shortlyBefore(newest.id);
    goToTheEnd(queue);
  }

  function begin(queue: ClientQueue): SendBatch {
    const limit = freeSlotsOf(queue);
    const released = limit === 0 ? [] : [...queue.released];
    if (limit > 0) {
      queue.wanted = false;
      queue.released.clear();
    }
    queue.busy = true;
    running += 1;
    // Slots are taken before they are known to be needed, so that no two queues take the same.
    occupy(queue, limit);
    return { clientId: queue.clientId, outcomes: queue.outcomes.splice(0), limit, released, from: queue.from };
  }

  function freeSlotsOf(queue: ClientQueue): number {
    if (!queue.wanted) return 0;
    return Math.max(0, Math.min(queue.inFlightMax - queue.inFlight, concurrency - inFlight));
  }

  function occupy(queue: ClientQueue, requests: number): void {
    queue.inFlight += requests;
    inFlight += requests;
  }

  function rest(queue: ClientQueue, failed: SendBatch): void {
    queue.outcomes.unshift(...failed.outcomes);
    queue.wanted = closed === undefined;
    setTimeout(goToTheEnd, REST_MS, queue);
  }

  function goToTheEnd(queue: ClientQueue): void {
    queue.busy = false;
    queues.delete(queue.clientId);
    if (closed !== undefined) queue.wanted = false;
    if (queue.wanted || queue.inFlight > 0 || queue.outcomes.length > 0) queues.set(queue.clientId, queue);
    run();
  }

  function want(clientId: string, released: readonly string[], from?: string): void {
    if (closed !== undefined) return;
    const queue = queues.get(clientId) ?? newQueue(clientId);
    queues.set(clientId, queue);
    queue.wanted = true;
    queue.from = from ?? queue.from;
    for (const id of released) queue.released.add(id);
    run();
  }

  return {
    want: (clientId, released = []) => want(clientId, released),
    wantAll: (clientId) => want(clientId, [], START),
    finished(outcome) {
      const queue = queues.get(outcome.message.clientId);
      // A queue stays in line while it has requests in flight.
      if (queue === undefined) throw new Error(`No message of client ${outcome.message.clientId} is in flight.`);
      occupy(queue, -1);
      queue.inFlightMax = nextMax(queue.inFlightMax, outcome);
      queue.outcomes.push(outcome);
      run();
    },
    async close(timeoutMs) {
      const drained = new Promise<void>((resolve) => (closed = resolve));
      const timer = setTimeout(() => closed?.(), timeoutMs);
      for (const queue of [...queues.values()]) if (!queue.busy) goToTheEnd(queue);
      run();
      await drained;
      clearTimeout(timer);
    },
  };
}

function newQueue(clientId: string): ClientQueue {
  return {
    clientId,
    outcomes: [],
    released: new Set(),
    wanted: false,
    from: START,
    busy: false,
    inFlight: 0,
    inFlightMax: IN_FLIGHT.start,
  };
}

function shortlyBefore(id: string): string {
  return firstIdAt(new Date(momentOfId(id).getTime() - OVERLAP_MS));
}

function nextMax(max: number, { attempt }: Outcome): number {
  if (attempt.outcome === 'TIMED_OUT') return Math.max(IN_FLIGHT.min, Math.floor(max / 2));
  if (attempt.outcome === 'FAILED') return max;
  return Math.min(IN_FLIGHT.max, max + 1);
}
