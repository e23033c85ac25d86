import type { Logger } from 'pino';

/** Looks for work in a table: now and then, and when it is told to; never twice at once. */
export type Poller = {
  /** Looks at once, and from then on now and then. */
  start(): void;
  /** Polls at once, or again after the running poll, which may have missed the new work. */
  look(): void;
  /** Looks no more, and has nothing begun that a look under way finds. Resolves when that look has ended. */
  stop(): Promise<void>;
};

/** The dependencies of a poller. */
export type PollerOptions<Found> = {
  /** Reads what there is to do that nobody works on: new work, and that of processes which died. */
  readonly lookUp: () => Promise<Found>;
  /** Begins with what was found, and gives whether that was anything. */
  readonly onFound: (found: Found) => boolean | Promise<boolean>;
  /**
   * Milliseconds between two looks: the least after one that found something, twice as many after each in vain or that failed,
   * up to the most. Give or take a fifth: processes that were started together would otherwise ask together for ever.
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
  let looking: Promise<void> | undefined;
  let checkAgain = false;
  let started = false;
  let stopped = false;

  async function lookOnce(): Promise<void> {
    waitMs = Math.min(everyMs.max, 2 * waitMs);
    try {
      const found = await lookUp();
      if (!stopped && (await onFound(found))) waitMs = everyMs.min;
    } catch (error) {
      logger.error({ err: error }, failure);
    }
  }

  function look(): void {
    if (stopped) return;
    if (looking !== undefined) {
      checkAgain = true;
      return;
    }
    checkAgain = false;
    clearTimeout(timer);
    looking = lookOnce().finally(() => {
      looking = undefined;
      if (checkAgain) look();
      else if (started && !stopped) timer = setTimeout(look, waitMs * (0.8 + 0.4 * Math.random()));
    });
  }

  return {
    start() {
      if (started) return;
      started = true;
      look();
    },
    look,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
