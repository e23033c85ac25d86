/** Milliseconds between two signs of life. */
const BEAT_MS = 250;

/** Milliseconds without a sign of life that count as a stall: the process was frozen, or its event loop was blocked. */
const STALL_MS = 1_500;

/** Milliseconds after a stall in which what came meanwhile is read. */
const CATCH_UP_MS = 1_000;

let lastBeat = performance.now();
let lastStall = { from: -Infinity, until: -Infinity };

/** The first callbacks after a stall may run before the interval does, so everybody who asks looks as well. */
function beat(): number {
  const now = performance.now();
  if (now - lastBeat > STALL_MS) lastStall = { from: lastBeat, until: now };
  lastBeat = now;
  return now;
}

setInterval(beat, BEAT_MS).unref();

/** Whether this process stood still for 1.5 s or more since `since`, a moment of `performance.now()`. */
export function stalledSince(since: number): boolean {
  beat();
  return lastStall.until > since;
}

/**
 * The earliest time (`performance.now()`) at which a request that is read now may have arrived. It is now, or the last
 * heartbeat before a stall that has just ended, because requests stay unread in the socket during a stall.
 */
export function earliestArrival(): number {
  const now = beat();
  return now - lastStall.until < CATCH_UP_MS ? lastStall.from : now;
}
