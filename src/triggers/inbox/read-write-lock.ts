/** Runs work in parallel, or one piece of work exclusively. */
export type ReadWriteLock = {
  /** Runs `work` in parallel with other shared work, while no caller has or wants the exclusive lock. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` once all other work has ended; one caller at a time. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * @param patienceMs the most milliseconds that shared and exclusive work wait for each other: a batch that waits for a locked row must not
 * stop all others
 */
export function createReadWriteLock(patienceMs: number): ReadWriteLock {
  const running = new Set<Promise<unknown>>();
  let exclusive: Promise<unknown> | undefined;

  return {
    async shared(work) {
      if (exclusive !== undefined) await within(patienceMs, exclusive);
      const done = work();
      running.add(done);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    async exclusive(work) {
      const done = Promise.withResolvers<void>();
      exclusive = done.promise;
      try {
        if (running.size > 0) await within(patienceMs, Promise.allSettled(running));
        return await work();
      } finally {
        exclusive = undefined;
        done.resolve();
      }
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
}
