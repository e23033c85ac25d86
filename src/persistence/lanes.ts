import { DomainError } from '../kernel/domain-error.ts';

/** Runs a batch of one client's jobs and gives one result or error for each, in order. Throws when the batch as a whole failed. */
export type RunBatch<Job, Result> = (clientId: string, jobs: readonly Job[]) => Promise<Array<Result | Error>>;

export type LanesOptions<Job, Result> = {
  /** Batches that run at once. Each holds one database connection. Slow batches come on top, two for each lane. */
  readonly laneCount: number;
  /** Milliseconds after which a batch no longer takes a lane from others; 250 by default. */
  readonly slowMs?: number;
  /** Most jobs in a batch. */
  readonly batchMax: number;
  readonly run: RunBatch<Job, Result>;
};

export type Lanes<Job, Result> = {
  /** Queues a job and gives its result once its batch has committed. Rejects with the job's own error. */
  submit(clientId: string, job: Job): Promise<Result>;
  /** Queues jobs that must run in one batch, in this order; at most `batchMax`. Gives a result or error for each. */
  submitTogether(clientId: string, jobs: readonly Job[]): Promise<Array<Result | Error>>;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
};

/** Slow batches at once for each lane, so that connections are left to everything else. */
const SLOW_PER_LANE = 2;

/** Jobs that stay together, and who waits for them. */
type Group<Job, Result> = {
  readonly jobs: readonly Job[];
  readonly settle: (results: Array<Result | Error>) => void;
};

/** One batch. */
type Turn<Job, Result> = { readonly clientId: string; readonly groups: readonly Group<Job, Result>[] };

/**
 * Group commit: a free lane takes everything that waits for one client, at most `batchMax`, and runs it as one batch.
 * There is no timer, so an idle service starts a lone job at once and a busy one batches by itself. Clients take turns:
 * the one just served goes to the end of the line, so a noisy client delays the others by one batch at most.
 *
 * A batch that stands still, because somebody holds a row that it wants, gives its lane back after a moment and goes on
 * beside the lanes. Its client gets no other lane until it has ended.
 */
export function createLanes<Job, Result>(options: LanesOptions<Job, Result>): Lanes<Job, Result> {
  const { laneCount, batchMax, run, slowMs = 250 } = options;
  // A Map keeps the order of insertion, so its first key is the client whose turn it is.
  const waiting = new Map<string, Group<Job, Result>[]>();
  const idleListeners: Array<() => void> = [];
  let busyLanes = 0;
  /** Those that gave their lane back. */
  const slow = new Set<Turn<Job, Result>>();

  function startLanes(): void {
    while (busyLanes < laneCount) {
      const turn = nextTurn();
      if (turn === undefined) return;
      begin(turn);
    }
  }

  function begin(turn: Turn<Job, Result>): void {
    busyLanes += 1;
    const patience = setTimeout(() => {
      if (slow.size >= laneCount * SLOW_PER_LANE) return;
      slow.add(turn);
      busyLanes -= 1;
      startLanes();
    }, slowMs);
    void serve(turn).finally(() => {
      clearTimeout(patience);
      if (!slow.delete(turn)) busyLanes -= 1;
      startLanes();
      if (isIdle()) for (const listener of idleListeners.splice(0)) listener();
    });
  }

  function nextTurn(): Turn<Job, Result> | undefined {
    const slowClients = new Set(slow.values().map((turn) => turn.clientId));
    const clientId = waiting.keys().find((client) => !slowClients.has(client));
    if (clientId === undefined) return undefined;
    const queue = waiting.get(clientId)!;
    waiting.delete(clientId);
    const count = groupsThatFit(queue);
    if (queue.length > count) waiting.set(clientId, queue.slice(count));
    return { clientId, groups: queue.slice(0, count) };
  }

  /** At least one group, and as many more as the batch has room for. */
  function groupsThatFit(queue: readonly Group<Job, Result>[]): number {
    let jobs = 0;
    const tooMany = queue.findIndex((group, index) => (jobs += group.jobs.length) > batchMax && index > 0);
    return tooMany === -1 ? queue.length : tooMany;
  }

  async function serve({ clientId, groups }: Turn<Job, Result>): Promise<void> {
    const results = await runAlways(
      clientId,
      groups.flatMap((group) => group.jobs),
    );
    let next = 0;
    for (const { jobs, settle } of groups) settle(results.slice(next, (next += jobs.length)));
  }

  /** One job at fault must not fail its neighbours: when a batch fails, each runs by itself, in order. */
  async function runAlways(clientId: string, jobs: readonly Job[]): Promise<Array<Result | Error>> {
    try {
      return await run(clientId, jobs);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (jobs.length === 1 || isOutage(failure)) return jobs.map(() => failure);
      const results: Array<Result | Error> = [];
      for (const job of jobs) results.push(...(await runAlways(clientId, [job])));
      return results;
    }
  }

  function isIdle(): boolean {
    return busyLanes === 0 && slow.size === 0 && waiting.size === 0;
  }

  function enqueue(clientId: string, jobs: readonly Job[]): Promise<Array<Result | Error>> {
    return new Promise((settle) => {
      const queue = waiting.get(clientId);
      if (queue) queue.push({ jobs, settle });
      else waiting.set(clientId, [{ jobs, settle }]);
      startLanes();
    });
  }

  return {
    async submit(clientId, job) {
      const [result] = await enqueue(clientId, [job]);
      if (result instanceof Error) throw result;
      return result as Result;
    },
    submitTogether: enqueue,
    idle() {
      return isIdle() ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}

/** Without a database every job would fail alike; trying them one by one would only keep it from recovering. */
function isOutage(error: Error): boolean {
  return error instanceof DomainError && error.kind === 'unavailable';
}
