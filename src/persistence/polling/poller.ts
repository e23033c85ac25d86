import type { Logger } from 'pino';

/** Polls a table for work, periodically and on request; never two polls at once. */
export type Poller = {
  /** Polls at once, and then periodically. */
  start(): void;
  /** Polls at once, or again after the running poll, which may have missed the new work. */
  poll(): void;
  /** Stops polling; the results of a running poll are ignored. Resolves when that poll has ended. */
  stop(): Promise<void>;
};

/** The dependencies of a poller. */
export type PollerOptions<Found> = {
  /** Reads unclaimed work: new work, and that of dead processes. */
  readonly lookUp: () => Promise<Found>;
  /** Starts the found work, and returns whether any was found. */
  readonly onFound: (found: Found) => boolean | Promise<boolean>;
  /**
   * Milliseconds between two polls: `min` after one that found work, doubled up to `max` after each empty or failed one. They vary by a
   * fifth, so that processes that were started together do not poll together.
   */
  readonly everyMs: { readonly min: number; readonly max: number };
  readonly logger: Logger;
  /** The log message of a failed poll; the next poll follows as usual. */
  readonly failure: string;
};

/**
 * The poller of the inbox, the outbox and the imports. A worker is woken for work of the same process, and finds the
 * work of other and dead processes by polling: docs/decisions/0044.
 */
export function createPoller<Found>(options: PollerOptions<Found>): Poller {
  const { lookUp, onFound, everyMs, logger, failure } = options;
  let waitMs = everyMs.min;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let pollAgain = false;
  let started = false;
  let stopped = false;

  async function pollOnce(): Promise<void> {
    waitMs = Math.min(everyMs.max, 2 * waitMs);
    try {
      const found = await lookUp();
      if (!stopped && (await onFound(found))) waitMs = everyMs.min;
    } catch (error) {
      logger.error({ err: error }, failure);
    }
  }

  function poll(): void {
    if (stopped) return;
    if (running !== undefined) {
      pollAgain = true;
      return;
    }
    pollAgain = false;
    clearTimeout(timer);
    running = pollOnce().finally(() => {
      running = undefined;
      if (pollAgain) poll();
      else if (started && !stopped) timer = setTimeout(poll, waitMs * (0.8 + 0.4 * Math.random()));
    });
  }

  return {
    start() {
      if (started) return;
      started = true;
      poll();
    },
    poll,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
