import { DatabaseNotReady } from '../persistence/connections/failures.ts';

/** Whether the service can do its work now. */
export type Readiness = {
  /** The reason for which it cannot, for an operator; undefined if it can. */
  reason(): Promise<string | undefined>;
  /** Makes the service unready from now on, because the process is about to end. */
  drain(): void;
};

/** Milliseconds after which a database that does not answer counts as unreachable: below the usual time limit of a probe. */
const ANSWER_TIMEOUT_MS = 900;

/**
 * Asks the database, at most once at a time.
 * @param others further checks; each returns its reason at once, or undefined
 */
export function createReadiness(
  db: { ping(): Promise<void> },
  others: readonly (() => string | undefined)[] = [],
): Readiness {
  let draining = false;
  let asking: Promise<string | undefined> | undefined;
  return {
    async reason() {
      if (draining) return 'The service is shutting down.';
      asking ??= ask(db).finally(() => {
        asking = undefined;
      });
      const unreachable = await asking;
      if (unreachable !== undefined) return unreachable;
      return others.map((reason) => reason()).find((reason) => reason !== undefined);
    },
    drain() {
      draining = true;
    },
  };
}

async function ask(db: { ping(): Promise<void> }): Promise<string | undefined> {
  const silence = Promise.withResolvers<string>();
  const timer = setTimeout(
    silence.resolve,
    ANSWER_TIMEOUT_MS,
    `The database has not answered within ${ANSWER_TIMEOUT_MS} ms.`,
  );
  try {
    return await Promise.race([
      db.ping().then(
        () => undefined,
        ({ cause }: Error) => (cause instanceof DatabaseNotReady ? cause.message : 'The database cannot be reached.'),
      ),
      silence.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
