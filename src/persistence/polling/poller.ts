import type { Logger } from 'pino';

/** Looks for work in a table: now and then, and when it is told to; never twice at once. */
export type Poller = {
  /** Looks at once, and from then on now and then. */
  start(): void;
  /** Looks at once, or once more when the look that is under way has ended: what it was told of may have come too late for that. */
  look(): void;
  /** Looks no more, and has nothing begun that a look under way finds. Resolves when that look has ended. */
  stop(): Promise<void>;
};

/** What a poller needs. */
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
  /** What the log says where a look fails. Nothing else happens then: the next one comes. */
  readonly failure: string;
};

/**
 * What the workers of the inbox, the outbox and the imports have in common: each is told by its own process what has come, and
 * finds the work of other processes, and of those that died, by looking. Why nothing more: docs/decisions/0044.
 */
export function createPoller<Found>(options: PollerOptions<Found>): Poller {
  const { lookUp, onFound, everyMs, logger, failure } = options;
  let waitMs = everyMs.min;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
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
      lookAgain = true;
      return;
    }
    lookAgain = false;
    clearTimeout(timer);
    looking = lookOnce().finally(() => {
      looking = undefined;
      if (lookAgain) look();
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
