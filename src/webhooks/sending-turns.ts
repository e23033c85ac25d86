import { firstIdAt, momentOfId } from '../kernel/ids.ts';
import type { Claim, ClaimedMessage, Outcome } from './outbox.queries.ts';

/** One transaction's worth of work for one client. Its limit is 0 where only outcomes are to be recorded. */
export type Turn = Claim & {
  readonly clientId: string;
  /** To be recorded. */
  readonly outcomes: readonly Outcome[];
};

export type TurnsOptions = {
  /** Requests in flight at once, over all clients. */
  readonly concurrency: number;
  /** Runs a turn and gives what it claimed, in order of ids; each must come back by `finished`. A rejection means that nothing was recorded or claimed. */
  readonly take: (turn: Turn) => Promise<readonly ClaimedMessage[]>;
};

export type Turns = {
  /** The client may have new messages to claim; `released` ones are claimed even before they are due. */
  want(clientId: string, released?: readonly string[]): void;
  /** The client may have messages to claim, and old ones too: of a process that died, or of a transaction that took long. */
  wantAll(clientId: string): void;
  /** A claimed message has its outcome. */
  finished(outcome: Outcome): void;
  /** No more claims; resolves when every outcome is recorded, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
};

/** Turns at once, each holding one database connection. More would only take connections from the calls that cause webhooks. */
const TURNS_AT_ONCE = 4;

/** Milliseconds that a client rests after a turn failed: the database is away, and asking at once would not bring it back. */
const REST_MS = 500;

/**
 * A client's requests in flight. The number falls by half with each timeout and rises by one with each answer, so that a
 * receiver which answers gets many and a dead one, whose requests take 5 s each, leaves the room to the others.
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

type Lane = {
  readonly clientId: string;
  readonly outcomes: Outcome[];
  readonly released: Set<string>;
  wanted: boolean;
  /** Where the next claim begins. */
  from: string;
  /** In a turn, or resting after a failed one. */
  busy: boolean;
  inFlight: number;
  inFlightMax: number;
};

/** Decides which client's turn it is. The one just served goes to the end of the line, so that none starves another. */
export function createTurns({ concurrency, take }: TurnsOptions): Turns {
  // A Map keeps the order of insertion, which is the order of the line.
  const lanes = new Map<string, Lane>();
  let turnsRunning = 0;
  let inFlight = 0;
  let closed: (() => void) | undefined;

  function run(): void {
    for (const lane of lanes.values()) {
      if (turnsRunning >= TURNS_AT_ONCE) return;
      if (!lane.busy && (lane.outcomes.length > 0 || roomOf(lane) > 0)) void serve(lane);
    }
    if (lanes.size === 0) closed?.();
  }

  async function serve(lane: Lane): Promise<void> {
    const turn = begin(lane);
    const claimed = await take(turn).catch(() => undefined);
    occupy(lane, (claimed?.length ?? 0) - turn.limit);
    turnsRunning -= 1;
    if (claimed === undefined) return rest(lane, turn);
    // As many as there was room for: there may be more.
    if (turn.limit > 0 && claimed.length === turn.limit) lane.wanted = true;
    const newest = claimed.at(-1);
    if (newest !== undefined && lane.from === turn.from) lane.from = shortlyBefore(newest.id);
    goToTheEnd(lane);
  }

  function begin(lane: Lane): Turn {
    const limit = roomOf(lane);
    const released = limit === 0 ? [] : [...lane.released];
    if (limit > 0) {
      lane.wanted = false;
      lane.released.clear();
    }
    lane.busy = true;
    turnsRunning += 1;
    // The room is taken before it is known to be needed, lest two lanes take the same.
    occupy(lane, limit);
    return { clientId: lane.clientId, outcomes: lane.outcomes.splice(0), limit, released, from: lane.from };
  }

  function roomOf(lane: Lane): number {
    if (!lane.wanted) return 0;
    return Math.max(0, Math.min(lane.inFlightMax - lane.inFlight, concurrency - inFlight));
  }

  function occupy(lane: Lane, requests: number): void {
    lane.inFlight += requests;
    inFlight += requests;
  }

  function rest(lane: Lane, failed: Turn): void {
    lane.outcomes.unshift(...failed.outcomes);
    lane.wanted = closed === undefined;
    setTimeout(goToTheEnd, REST_MS, lane);
  }

  function goToTheEnd(lane: Lane): void {
    lane.busy = false;
    lanes.delete(lane.clientId);
    if (closed !== undefined) lane.wanted = false;
    if (lane.wanted || lane.inFlight > 0 || lane.outcomes.length > 0) lanes.set(lane.clientId, lane);
    run();
  }

  function want(clientId: string, released: readonly string[], from?: string): void {
    if (closed !== undefined) return;
    const lane = lanes.get(clientId) ?? newLane(clientId);
    lanes.set(clientId, lane);
    lane.wanted = true;
    lane.from = from ?? lane.from;
    for (const id of released) lane.released.add(id);
    run();
  }

  return {
    want: (clientId, released = []) => want(clientId, released),
    wantAll: (clientId) => want(clientId, [], START),
    finished(outcome) {
      const lane = lanes.get(outcome.message.clientId);
      // A lane stays in line while it has requests in flight.
      if (lane === undefined) throw new Error(`No message of client ${outcome.message.clientId} is in flight.`);
      occupy(lane, -1);
      lane.inFlightMax = nextMax(lane.inFlightMax, outcome);
      lane.outcomes.push(outcome);
      run();
    },
    async close(timeoutMs) {
      const drained = new Promise<void>((resolve) => (closed = resolve));
      const timer = setTimeout(() => closed?.(), timeoutMs);
      for (const lane of [...lanes.values()]) if (!lane.busy) goToTheEnd(lane);
      run();
      await drained;
      clearTimeout(timer);
    },
  };
}

function newLane(clientId: string): Lane {
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
