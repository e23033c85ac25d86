import { DomainError } from '../kernel/domain-error.ts';

/** Runs a batch of one client's jobs and gives one result or error for each, in order. Throws when the batch as a whole failed. */
export type RunBatch<Job, Result> = (clientId: string, jobs: readonly Job[]) => Promise<Array<Result | Error>>;

export type LanesOptions<Job, Result> = {
  /** Batches that run at once. Each holds one database connection. */
  readonly laneCount: number;
  /** Most jobs in a batch. */
  readonly batchMax: number;
  readonly run: RunBatch<Job, Result>;
};

export type Lanes<Job, Result> = {
  /** Queues a job and gives its result once its batch has committed, or its own error. */
  submit(clientId: string, job: Job): Promise<Result>;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
};

type Entry<Job, Result> = {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Group commit: a free lane takes everything that waits for one client, at most `batchMax`, and runs it as one batch.
 * There is no timer, so an idle service starts a lone job at once and a busy one batches by itself. Clients take turns:
 * the one just served goes to the end of the line, so a noisy client delays the others by one batch at most.
 */
export function createLanes<Job, Result>({ laneCount, batchMax, run }: LanesOptions<Job, Result>): Lanes<Job, Result> {
  // A Map keeps the order of insertion, so its first key is the client whose turn it is.
  const waiting = new Map<string, Entry<Job, Result>[]>();
  const idleListeners: Array<() => void> = [];
  let busyLanes = 0;

  function startLanes(): void {
    while (busyLanes < laneCount && waiting.size > 0) {
      busyLanes += 1;
      const [clientId, entries] = takeTurn();
      void serve(clientId, entries).finally(() => {
        busyLanes -= 1;
        startLanes();
        if (isIdle()) for (const listener of idleListeners.splice(0)) listener();
      });
    }
  }

  function takeTurn(): [string, Entry<Job, Result>[]] {
    const [clientId, queue] = waiting.entries().next().value!;
    waiting.delete(clientId);
    if (queue.length > batchMax) waiting.set(clientId, queue.slice(batchMax));
    return [clientId, queue.slice(0, batchMax)];
  }

  async function serve(clientId: string, entries: readonly Entry<Job, Result>[]): Promise<void> {
    try {
      const results = await run(
        clientId,
        entries.map((entry) => entry.job),
      );
      entries.forEach((entry, index) => settle(entry, results[index]!));
    } catch (error) {
      if (entries.length === 1 || isOutage(error)) for (const entry of entries) entry.reject(error);
      // One job at fault must not fail its neighbours: run each by itself, in order, and let the guilty one answer.
      else for (const entry of entries) await serve(clientId, [entry]);
    }
  }

  function isIdle(): boolean {
    return busyLanes === 0 && waiting.size === 0;
  }

  return {
    submit(clientId, job) {
      return new Promise((resolve, reject) => {
        const entry = { job, resolve, reject };
        const queue = waiting.get(clientId);
        if (queue) queue.push(entry);
        else waiting.set(clientId, [entry]);
        startLanes();
      });
    },
    idle() {
      return isIdle() ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}

function settle<Job, Result>(entry: Entry<Job, Result>, result: Result | Error): void {
  if (result instanceof Error) entry.reject(result);
  else entry.resolve(result);
}

/** Without a database every job would fail alike; trying them one by one would only keep it from recovering. */
function isOutage(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable';
}
