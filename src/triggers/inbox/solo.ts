/** Lets one piece of work run while the others rest. */
export type Solo = {
  /** Runs `work` together with others of its kind, once nobody is or wants to be alone. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` once the others have ended; one caller at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * @param patienceMs milliseconds that either side waits for the other at most: a batch that stands still because somebody
 * holds a row must not stop everything else
 */
export function createSolo(patienceMs: number): Solo {
  const running = new Set<Promise<unknown>>();
  let soloist: Promise<unknown> | undefined;

  return {
    async together(work) {
      if (soloist !== undefined) await within(patienceMs, soloist);
      const done = work();
      running.add(done);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    async alone(work) {
      const done = Promise.withResolvers<void>();
      soloist = done.promise;
      try {
        if (running.size > 0) await within(patienceMs, Promise.allSettled(running));
        return await work();
      } finally {
        soloist = undefined;
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
