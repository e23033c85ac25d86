import { createFairQueue } from '../../kernel/fair-queue.ts';
import { BEGINNING, type ClaimStart, moveOn } from '../../persistence/polling/claim-start.ts';
import type { ClaimedMessage, Outcome } from '../outbox/claimed-message.ts';
import type { Claim } from '../outbox/outbox.queries.ts';

/** What one transaction does for one client. Its limit is 0 where only outcomes are to be recorded. */
export type SendBatch = Claim & {
  /** Or who else waits in line: `inLineAs`. */
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
  /** Batches at once, each holding one database connection. 4 by default. */
  readonly batchesAtOnce?: number;
  /** How many requests of one client are in flight. */
  readonly inFlight?: InFlight;
  /** Who waits in line with a message, as `want` names him: its client by default. */
  readonly inLineAs?: (message: ClaimedMessage) => string;
};

/** A client's requests in flight: how many at first, and after each outcome. */
export type InFlight = {
  readonly start: number;
  /** @param max how many there may be now */
  next(max: number, outcome: Outcome): number;
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

/** More would only take connections from the calls that cause webhooks. */
const BATCHES_AT_ONCE = 4;

/** Milliseconds that a client rests after a batch failed: the database is away, and asking at once would not bring it back. */
const REST_MS = 500;

/**
 * A client's requests in flight. The number falls by half with each timeout and rises by one with each answer, so that a
 * receiver which answers gets many and a dead one, whose requests take 5 s each, leaves the slots to the others.
 */
const IN_FLIGHT: InFlight = {
  start: 8,
  next(max, { attempt }) {
    if (attempt.outcome === 'TIMED_OUT') return Math.max(4, Math.floor(max / 2));
    return attempt.outcome === 'FAILED' ? max : Math.min(32, max + 1);
  },
};

/** One client's part of the scheduler. */
type Client = ClaimStart & {
  readonly clientId: string;
  readonly outcomes: Outcome[];
  readonly released: Set<string>;
  wanted: boolean;
  inFlightMax: number;
};

/** The scheduler of this process. Clients are served round robin, so that none starves another. */
export function createSendScheduler(options: SendSchedulerOptions): SendScheduler {
  const { concurrency, take, batchesAtOnce = BATCHES_AT_ONCE, inFlight = IN_FLIGHT } = options;
  const inLineAs = options.inLineAs ?? (({ clientId }: ClaimedMessage) => clientId);
  /** Those that may have messages to claim, requests in flight or outcomes to be recorded. */
  const clients = new Map<string, Client>();
  /** The same, but for those whose batch runs or that rest after a failed one. What a client uses are its requests in flight. */
  const queue = createFairQueue<Client>();
  let running = 0;
  let closed: (() => void) | undefined;

  function run(): void {
    while (running < batchesAtOnce) {
      const clientId = queue.next(hasWork);
      if (clientId === undefined) break;
      const [client] = queue.take(clientId, 1);
      void serve(client!);
    }
    if (clients.size === 0) closed?.();
  }

  function hasWork(clientId: string): boolean {
    const client = clients.get(clientId)!;
    return client.outcomes.length > 0 || freeSlotsOf(client) > 0;
  }

  async function serve(client: Client): Promise<void> {
    const batch = begin(client);
    const claimed = await take(batch).catch(() => undefined);
    queue.use(client.clientId, (claimed?.length ?? 0) - batch.limit);
    running -= 1;
    if (claimed === undefined) return rest(client, batch);
    // As many as there were free slots: there may be more.
    if (batch.limit > 0 && claimed.length === batch.limit) client.wanted = true;
    const newest = claimed.at(-1);
    if (newest !== undefined) moveOn(client, batch.from, newest.id);
    goToTheEnd(client);
  }

  function begin(client: Client): SendBatch {
    const { clientId, from } = client;
    const limit = freeSlotsOf(client);
    const released = limit === 0 ? [] : [...client.released];
    if (limit > 0) {
      client.wanted = false;
      client.released.clear();
    }
    running += 1;
    // Slots are taken before they are known to be needed, so that no two clients take the same.
    queue.use(clientId, limit);
    return { clientId, outcomes: client.outcomes.splice(0), limit, released, from };
  }

  function freeSlotsOf({ clientId, wanted, inFlightMax }: Client): number {
    if (!wanted) return 0;
    return Math.max(0, Math.min(inFlightMax - queue.usedBy(clientId), concurrency - queue.used));
  }

  function rest(client: Client, failed: SendBatch): void {
    client.outcomes.unshift(...failed.outcomes);
    client.wanted = closed === undefined;
    setTimeout(goToTheEnd, REST_MS, client);
  }

  /** After its batch, or its rest. */
  function goToTheEnd(client: Client): void {
    const { clientId } = client;
    if (closed !== undefined) client.wanted = false;
    if (hasNothing(client)) clients.delete(clientId);
    else queue.add(clientId, client);
    run();
  }

  function hasNothing({ clientId, wanted, outcomes }: Client): boolean {
    return !wanted && outcomes.length === 0 && queue.usedBy(clientId) === 0;
  }

  function want(clientId: string, released: readonly string[], from?: string): void {
    if (closed !== undefined) return;
    const client = clients.get(clientId) ?? join(clientId);
    client.wanted = true;
    client.from = from ?? client.from;
    for (const id of released) client.released.add(id);
    run();
  }

  function join(clientId: string): Client {
    const client = newClient(clientId, inFlight.start);
    clients.set(clientId, client);
    queue.add(clientId, client);
    return client;
  }

  return {
    want: (clientId, released = []) => want(clientId, released),
    wantAll: (clientId) => want(clientId, [], BEGINNING),
    finished(outcome) {
      const clientId = inLineAs(outcome.message);
      const client = clients.get(clientId);
      // A client stays among them while it has requests in flight.
      if (client === undefined) throw new Error(`No message of client ${clientId} is in flight.`);
      queue.use(clientId, -1);
      client.inFlightMax = inFlight.next(client.inFlightMax, outcome);
      client.outcomes.push(outcome);
      run();
    },
    async close(timeoutMs) {
      const drained = new Promise<void>((resolve) => (closed = resolve));
      const timer = setTimeout(() => closed?.(), timeoutMs);
      for (const client of clients.values()) {
        client.wanted = false;
        // One whose batch runs, or that rests, leaves after that.
        if (hasNothing(client) && queue.take(client.clientId, 1).length > 0) clients.delete(client.clientId);
      }
      run();
      await drained;
      clearTimeout(timer);
    },
  };
}

function newClient(clientId: string, inFlightMax: number): Client {
  return { clientId, outcomes: [], released: new Set(), wanted: false, from: BEGINNING, inFlightMax };
}
