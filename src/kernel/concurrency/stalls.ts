/** Milliseconds between two heartbeats. */
const BEAT_MS = 250;

/** Milliseconds without a heartbeat that count as a stall: the process was frozen, or its event loop was blocked. */
const STALL_MS = 1_500;

/** Milliseconds after a stall in which the process reads requests that arrived meanwhile. */
const CATCH_UP_MS = 1_000;

let lastBeat = performance.now();
let lastStall = { from: -Infinity, until: -Infinity };

/** Other callbacks may run before the interval's after a stall, so every query also updates the heartbeat. */
function beat(): number {
  const now = performance.now();
  if (now - lastBeat > STALL_MS) lastStall = { from: lastBeat, until: now };
  lastBeat = now;
  return now;
}

setInterval(beat, BEAT_MS).unref();

/** Whether this process stalled for 1.5 s or more since `since`, a time of `performance.now()`. */
export function stalledSince(since: number): boolean {
  beat();
  return lastStall.until > since;
}

/**
 * The earliest possible arrival time (`performance.now()`) of a request that is read now. It is now, or the last heartbeat before a stall
 * that has just ended, because requests stay unread in the socket during a stall.
 */
export function earliestArrival(): number {
  const now = beat();
  return now - lastStall.until < CATCH_UP_MS ? lastStall.from : now;
}
