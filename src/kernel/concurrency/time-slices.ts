/**
 * Milliseconds for which one piece of work may occupy the event loop. A call of another client passes through the loop about ten times (its
 * request, each answer of the database, its response), and may wait for a slice each time.
 */
const SLICE_MS = 4;

/** Interruptible work: it yields where other work may run, and returns its result. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Runs work step by step, and yields to the event loop after each time slice. Only one such work runs per turn of the
 * event loop, so that several do not add up.
 */
export async function inTimeSlices<T>(steps: Steps<T>): Promise<T> {
  let end = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < end) continue;
    await nextRound();
    end = performance.now() + SLICE_MS;
  }
}

/** Runs the same work without pauses. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const waiting: Array<() => void> = [];

function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeOne);
}
