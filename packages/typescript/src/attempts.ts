import type { LaurelError } from './laurel-error.ts';

/** The greatest random wait before the first repeat; it doubles with each further one. In milliseconds. */
const FIRST_WAIT_MS = 100;
const WAIT_MAX_MS = 2_000;

/** The attempts of one call within its deadline. */
export class Attempts {
  /** How many attempts have begun. */
  count = 0;
  readonly #retriesMax: number;
  readonly #endsAtMs: number;
  readonly #signal: AbortSignal | undefined;

  /**
   * @param timeoutMs the time for all attempts together; `0` or less: no deadline
   * @param signal ends the waits
   */
  constructor(retriesMax: number, timeoutMs: number, signal: AbortSignal | undefined) {
    this.#retriesMax = retriesMax;
    this.#endsAtMs = timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY;
    this.#signal = signal;
  }

  /** Begins an attempt. Returns the time that is left for it, at least 1; undefined without a deadline. */
  begin(): number | undefined {
    this.count += 1;
    const leftMs = this.#endsAtMs - performance.now();
    return leftMs === Number.POSITIVE_INFINITY ? undefined : Math.max(1, Math.floor(leftMs));
  }

  /** Waits for the next attempt. False, at once, if an error is not retryable or neither attempts nor time are left. */
  async isRepeated({ retryable, retryAfterMs = 0 }: LaurelError): Promise<boolean> {
    if (!retryable || this.count > this.#retriesMax || this.#signal?.aborted) return false;
    const jitterMs = Math.random() * Math.min(FIRST_WAIT_MS * 2 ** (this.count - 1), WAIT_MAX_MS);
    const waitMs = retryAfterMs + jitterMs;
    if (performance.now() + waitMs >= this.#endsAtMs) return false;
    await wait(waitMs, this.#signal);
    return !this.#signal?.aborted;
  }
}

function wait(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, timeMs);
    signal?.addEventListener('abort', end);
  });
}
