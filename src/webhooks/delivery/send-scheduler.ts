import { createFairQueue } from '../../kernel/concurrency/fair-queue.ts';
import { BEGINNING, type ClaimCursor, advanceCursor } from '../../persistence/polling/claim-cursor.ts';
import type { ClaimedMessage, FinishedAttempt } from '../outbox/claimed-message.ts';
import type { ClaimQuery } from '../outbox/outbox.queries.ts';

/** The work of one transaction for one flow. The limit is 0 if it only records outcomes. */
export type SendBatch = Omit<ClaimQuery, 'configurationId'> & {
  /** The flow of the messages, by its name from `flowOf`. */
  readonly flow: string;
  /** The outcomes to record. */
  readonly outcomes: readonly FinishedAttempt[];
};

/** The dependencies of a send scheduler. */
export type SendSchedulerOptions = {
  /** The maximum of requests in flight, over all flows. */
  readonly concurrency: number;
  /**
   * Runs a batch and returns the claimed messages in the order of ids; `finished` must follow for each. A rejection means that the batch
   * recorded and claimed none.
   */
  readonly take: (batch: SendBatch) => Promise<readonly ClaimedMessage[]>;
  /** The maximum of concurrent batches, each with one database connection. 4 by default. */
  readonly batchesAtOnce?: number;
  /** The limit of requests in flight for one flow. */
  readonly inFlight?: InFlight;
  /** The name of a message's flow, for `requestClaim`; its client by default. */
  readonly flowOf?: (message: ClaimedMessage) => string;
};

/** The limit of a flow's requests in flight: at first, and after each outcome. */
export type InFlight = {
  readonly start: number;
  /** @param max the current limit */
  next(max: number, outcome: FinishedAttempt): number;
};

/** Decides which flow's webhooks are claimed next. */
export type SendScheduler = {
  /** The flow may have new messages to claim; `released` ones are claimed even before they are due. */
  requestClaim(flow: string, released?: readonly string[]): void;
  /** The flow may have messages to claim, also old ones: of a dead process, or of a long transaction. */
  requestClaimFromStart(flow: string): void;
  /** A claimed message has its outcome. */
  finished(outcome: FinishedAttempt): void;
  /** Ends the claims; resolves when every outcome is recorded, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
};

/** More would only take connections from the calls that cause webhooks. */
const BATCHES_AT_ONCE = 4;

/** The pause of a flow after a failed batch, in milliseconds: an unreachable database needs time. */
const PAUSE_MS = 500;

/**
 * A flow's limit of requests in flight. Each timeout halves it and each answer raises it by one. So a working receiver
 * gets many requests, and a dead one, whose requests take 5 s each, leaves the slots to others.
 */
const IN_FLIGHT: InFlight = {
  start: 8,
  next(max, { attempt }) {
    if (attempt.outcome === 'TIMED_OUT') return Math.max(1, Math.floor(max / 2));
    return attempt.outcome === 'FAILED' ? max : Math.min(32, max + 1);
  },
};

/** The scheduler's part for one flow. */
type Flow = ClaimCursor & {
  readonly name: string;
  readonly outcomes: FinishedAttempt[];
  readonly released: Set<string>;
  wanted: boolean;
  inFlightMax: number;
};

/** The scheduler of this process. It serves flows round robin, so that no flow starves another. */
export function createSendScheduler(options: SendSchedulerOptions): SendScheduler {
  const { concurrency, take, batchesAtOnce = BATCHES_AT_ONCE, inFlight = IN_FLIGHT } = options;
  const flowOf = options.flowOf ?? (({ clientId }: ClaimedMessage) => clientId);
  /** The flows that may have messages to claim, requests in flight or outcomes to record. */
  const flows = new Map<string, Flow>();
  /**
   * The flows without a running batch and without a pause after a failed one. The cost of a flow is its number of
   * requests in flight.
   */
  const queue = createFairQueue<Flow>();
  let running = 0;
  let closed: (() => void) | undefined;

  function run(): void {
    while (running < batchesAtOnce) {
      const name = queue.next(hasWork);
      if (name === undefined) break;
      const [flow] = queue.take(name, 1);
      void serve(flow!);
    }
    if (flows.size === 0) closed?.();
  }

  function hasWork(name: string): boolean {
    const flow = flows.get(name)!;
    return flow.outcomes.length > 0 || freeSlotsOf(flow) > 0;
  }

  async function serve(flow: Flow): Promise<void> {
    const batch = begin(flow);
    const claimed = await take(batch).catch(() => undefined);
    queue.use(flow.name, (claimed?.length ?? 0) - batch.limit);
    running -= 1;
    if (claimed === undefined) return pauseAfterFailure(flow, batch);
    // The batch filled all its slots, so there may be more messages.
    if (batch.limit > 0 && claimed.length === batch.limit) flow.wanted = true;
    const newest = claimed.at(-1);
    if (newest !== undefined) advanceCursor(flow, batch.from, newest.id);
    requeue(flow);
  }

  function begin(flow: Flow): SendBatch {
    const { name, from } = flow;
    const limit = freeSlotsOf(flow);
    const released = limit === 0 ? [] : [...flow.released];
    if (limit > 0) {
      flow.wanted = false;
      flow.released.clear();
    }
    running += 1;
    // Slots are taken in advance, so that two flows never take the same one.
    queue.use(name, limit);
    return { flow: name, outcomes: flow.outcomes.splice(0), limit, released, from };
  }

  function freeSlotsOf({ name, wanted, inFlightMax }: Flow): number {
    if (!wanted) return 0;
    return Math.max(0, Math.min(inFlightMax - queue.usedBy(name), concurrency - queue.used));
  }

  function pauseAfterFailure(flow: Flow, failed: SendBatch): void {
    flow.outcomes.unshift(...failed.outcomes);
    flow.wanted = closed === undefined;
    setTimeout(requeue, PAUSE_MS, flow);
  }

  /** Called after a batch, or after the pause that follows a failed one. */
  function requeue(flow: Flow): void {
    const { name } = flow;
    if (closed !== undefined) flow.wanted = false;
    if (hasNothing(flow)) flows.delete(name);
    else queue.add(name, flow);
    run();
  }

  function hasNothing({ name, wanted, outcomes }: Flow): boolean {
    return !wanted && outcomes.length === 0 && queue.usedBy(name) === 0;
  }

  function requestClaim(name: string, released: readonly string[], from?: string): void {
    if (closed !== undefined) return;
    const flow = flows.get(name) ?? join(name);
    flow.wanted = true;
    flow.from = from ?? flow.from;
    for (const id of released) flow.released.add(id);
    run();
  }

  function join(name: string): Flow {
    const flow = newFlow(name, inFlight.start);
    flows.set(name, flow);
    queue.add(name, flow);
    return flow;
  }

  return {
    requestClaim: (name, released = []) => requestClaim(name, released),
    requestClaimFromStart: (name) => requestClaim(name, [], BEGINNING),
    finished(outcome) {
      const name = flowOf(outcome.message);
      const flow = flows.get(name);
      // A flow stays among them while it has requests in flight.
      if (flow === undefined) throw new Error(`No message of ${name} is in flight.`);
      queue.use(name, -1);
      flow.inFlightMax = inFlight.next(flow.inFlightMax, outcome);
      flow.outcomes.push(outcome);
      run();
    },
    async close(timeoutMs) {
      const drained = new Promise<void>((resolve) => (closed = resolve));
      const timer = setTimeout(() => closed?.(), timeoutMs);
      for (const flow of flows.values()) {
        flow.wanted = false;
        // A flow whose batch runs, or that pauses, leaves after that.
        if (hasNothing(flow) && queue.take(flow.name, 1).length > 0) flows.delete(flow.name);
      }
      run();
      await drained;
      clearTimeout(timer);
    },
  };
}

function newFlow(name: string, inFlightMax: number): Flow {
  return { name, outcomes: [], released: new Set(), wanted: false, from: BEGINNING, inFlightMax };
}
