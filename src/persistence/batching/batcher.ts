import { DomainError } from '../../kernel/errors/domain-error.ts';
import { createFairQueue } from '../../kernel/concurrency/fair-queue.ts';
import { currentSpan, inSpan, type SpanContext, startSpan } from '../../kernel/tracing.ts';
import { isCausedByConcurrency, isCausedByTimeout } from '../connections/failures.ts';

/**
 * Runs a batch of one client's jobs and returns one result or error for each, in order. It may omit the last jobs, but
 * not all, if the batch is too large: those run in another batch. Throws if the whole batch failed.
 */
export type RunBatch<Job, Result> = (clientId: string, jobs: readonly Job[]) => Promise<Array<Result | Error>>;

/** A client's jobs. */
export type ClientJobs<Job> = { readonly clientId: string; readonly jobs: readonly Job[] };

/** The settings of batches for several clients. */
export type Together<Job, Result> = {
  /** The maximum of clients in one batch. */
  readonly clientsMax: number;
  /** Maximum jobs of each client; a client with more runs alone. */
  readonly jobsMax: number;
  /** Whether the client's jobs are as cheap as those of others. */
  readonly mayJoin: (clientId: string) => boolean;
  /**
   * Returns one result or error for each job of each client. Throws if the whole batch failed without effect: then each
   * client runs alone.
   */
  readonly run: (clients: readonly ClientJobs<Job>[]) => Promise<Array<Array<Result | Error>>>;
};

/** The dependencies of a batcher. */
export type BatcherOptions<Job, Result> = {
  /** The name of the batches in traces; `jobs` by default. */
  readonly name?: string;
  /** The number of slots for concurrent batches. Each holds one database connection. Slow batches are additional, two for each slot. */
  readonly concurrency: number;
  /** Milliseconds after which a batch no longer keeps a slot from other clients; 10 by default. */
  readonly slowMs?: number;
  /** Milliseconds after which its client gets no other slot until it has ended; 250 by default. */
  readonly stuckMs?: number;
  /** The maximum of jobs in a batch. */
  readonly batchMax: number;
  readonly run: RunBatch<Job, Result>;
  /** Left out if clients never share a batch. */
  readonly together?: Together<Job, Result>;
};

/** Runs the jobs of many callers in batches, client by client. */
export type Batcher<Job, Result> = {
  /** Queues a job and returns its result after the commit of its batch. Rejects with the job's own error. */
  submit(clientId: string, job: Job): Promise<Result>;
  /** Queues jobs that must run in one batch, in this order; at most `batchMax`. Returns a result or error for each. */
  submitTogether(clientId: string, jobs: readonly Job[]): Promise<Array<Result | Error>>;
  /** Resolves when no job is queued or running. */
  idle(): Promise<void>;
  /** The number of jobs that wait for a batch now. */
  waiting(): number;
};

/** The maximum of concurrent slow batches for each slot, so that other work still gets connections. */
const SLOW_PER_SLOT = 2;

/**
 * Milliseconds after which a batch that took too long is not split any more: if a quarter of it takes too long as well, another transaction
 * blocks it, and a try of every part would keep the callers waiting for minutes.
 */
const SPLIT_FOR_MS = 45_000;

/** Jobs that stay in one batch, with their caller. */
type Group<Job, Result> = {
  /** The jobs that have not run. */
  readonly jobs: readonly Job[];
  /** The results of the jobs before them. */
  readonly results: ReadonlyArray<Result | Error>;
  readonly settle: (results: Array<Result | Error>) => void;
  /** The sampled span of the caller. */
  readonly cause: SpanContext | undefined;
};

/** The part of a batch that belongs to one client. */
type Share<Job, Result> = { readonly clientId: string; readonly groups: readonly Group<Job, Result>[] };

/** One share, or small ones of several clients. */
type Batch<Job, Result> = readonly Share<Job, Result>[];

/**
 * Group commit: a free slot takes everything that waits for one client, at most `batchMax` jobs, and runs it as one batch. There is no
 * timer: an idle service starts a single job at once, and under load batches form. Clients are served round robin, so a noisy one delays
 * the others by one batch at most.
 *
 * A slow batch, because it is large or waits for a lock, gives its slot back after 10 ms and continues without one, so that other clients
 * need not wait for it. With 250 ms the p99 of another client rose from 100 to 240 ms (`npm run bench -- catalogue`). No client has more
 * running batches than there are slots, and a client with a blocked batch gets no other until it has ended.
 *
 * Where many clients wait with a job or two each, `together` lets one batch carry those of several. A batch that fails as a whole is run
 * client by client, so that a faulty client, or one with a locked row, fails or waits alone.
 */
export function createBatcher<Job, Result>(options: BatcherOptions<Job, Result>): Batcher<Job, Result> {
  const { concurrency, batchMax, run, together, name = 'jobs', slowMs = 10, stuckMs = 250 } = options;
  /** A running batch counts as one use of its client, slow or not; a blocked batch counts as all slots in addition. */
  const queue = createFairQueue<Group<Job, Result>>();
  const idleListeners: Array<() => void> = [];
  let slotsTaken = 0;
  /** The batches that gave their slot back. */
  const slow = new Set<Batch<Job, Result>>();
  /** Clients whose next batch carries no other clients, because their last shared batch failed. */
  const alone = new Set<string>();

  function startBatches(): void {
    while (slotsTaken < concurrency) {
      const batch = nextBatch();
      if (batch === undefined) return;
      begin(batch);
    }
  }

  function begin(batch: Batch<Job, Result>): void {
    slotsTaken += 1;
    const stopWatching = watch(batch);
    const span = spanOf(batch);
    // Also without a span; otherwise the batch would run in the span of the caller that started it.
    void inSpan(span, () => serve(batch)).finally(() => {
      span?.end();
      stopWatching();
      if (!slow.delete(batch)) slotsTaken -= 1;
      startBatches();
      if (isIdle()) for (const listener of idleListeners.splice(0)) listener();
    });
  }

  /** Part of the first sampled trace that waits for the batch, and linked to all of them: docs/decisions/0072. */
  function spanOf(batch: Batch<Job, Result>) {
    const links = batch.flatMap(({ groups }) => groups.flatMap(({ cause }) => cause ?? []));
    if (links.length === 0) return undefined;
    const attributes = {
      'laurel.batch.jobs': batch.flatMap(({ groups }) => jobsOf(groups)).length,
      'laurel.batch.clients': batch.length,
    };
    return startSpan({ name: `batch ${name}`, kind: 'INTERNAL', parent: links[0], links, attributes });
  }

  /** Measures the duration of a batch; returns the function that ends it. */
  function watch(batch: Batch<Job, Result>): () => void {
    let used = 1;
    const use = (amount: number) => batch.forEach(({ clientId }) => queue.use(clientId, amount));
    use(used);
    const leaveSlot = () => {
      // If too many batches are slow already, it checks again later: this batch may be the blocked one.
      if (slow.size >= concurrency * SLOW_PER_SLOT) return void slowTimer.refresh();
      slow.add(batch);
      slotsTaken -= 1;
      startBatches();
    };
    const slowTimer = setTimeout(leaveSlot, slowMs);
    const stuck = setTimeout(() => {
      use(concurrency);
      used += concurrency;
    }, stuckMs);
    return () => {
      clearTimeout(slowTimer);
      clearTimeout(stuck);
      use(-used);
    };
  }

  function nextBatch(): Batch<Job, Result> | undefined {
    const clientId = queue.next(mayBeginAnother);
    if (clientId === undefined) return undefined;
    if (!mayJoin(clientId)) return [shareOf(clientId)];
    const batch = [shareOf(clientId)];
    while (batch.length < together!.clientsMax) {
      const other = queue.next(mayJoin);
      if (other === undefined) break;
      batch.push(shareOf(other));
    }
    return batch;
  }

  function shareOf(clientId: string): Share<Job, Result> {
    return { clientId, groups: queue.take(clientId, groupsThatFit(queue.waitingOf(clientId))) };
  }

  /**
   * Whether a client may join a shared batch: two batches with the same client would wait for each other's rows, with all their clients.
   */
  function mayJoin(clientId: string): boolean {
    if (together === undefined || queue.usedBy(clientId) > 0 || alone.has(clientId)) return false;
    let jobs = 0;
    const isSmall = queue.waitingOf(clientId).every((group) => (jobs += group.jobs.length) <= together.jobsMax);
    return isSmall && together.mayJoin(clientId);
  }

  function mayBeginAnother(clientId: string): boolean {
    return queue.usedBy(clientId) < concurrency;
  }

  /** At least one group, and as many more as the batch has room for. */
  function groupsThatFit(groups: readonly Group<Job, Result>[]): number {
    let jobs = 0;
    const tooMany = groups.findIndex((group, index) => (jobs += group.jobs.length) > batchMax && index > 0);
    return tooMany === -1 ? groups.length : tooMany;
  }

  async function serve(batch: Batch<Job, Result>): Promise<void> {
    if (batch.length > 1) return serveTogether(batch);
    const [{ clientId, groups }] = batch as [Share<Job, Result>];
    settle({ clientId, groups }, await runAlways(clientId, jobsOf(groups), performance.now() + SPLIT_FOR_MS));
    alone.delete(clientId);
  }

  async function serveTogether(batch: Batch<Job, Result>): Promise<void> {
    try {
      const results = await together!.run(batch.map(({ clientId, groups }) => ({ clientId, jobs: jobsOf(groups) })));
      for (const [index, share] of batch.entries()) settle(share, results[index]!);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      const isEverybodys = isOutage(failure) && !isCausedByConcurrency(failure);
      for (const share of batch) {
        if (isEverybodys)
          settle(
            share,
            jobsOf(share.groups).map(() => failure),
          );
        else {
          alone.add(share.clientId);
          queue.putBack(share.clientId, share.groups);
        }
      }
    }
  }

  function jobsOf(groups: readonly Group<Job, Result>[]): Job[] {
    return groups.flatMap((group) => group.jobs);
  }

  /** Resolves the callers; the jobs that a batch omitted wait again. */
  function settle({ clientId, groups }: Share<Job, Result>, results: ReadonlyArray<Result | Error>): void {
    const left: Group<Job, Result>[] = [];
    let next = 0;
    for (const group of groups) {
      const own = results.slice(next, (next += group.jobs.length));
      const soFar = group.results.length === 0 ? own : [...group.results, ...own];
      if (own.length === group.jobs.length) group.settle(soFar);
      else left.push({ ...group, jobs: group.jobs.slice(own.length), results: soFar });
    }
    // The omitted jobs come before later ones of the client, but after the other clients.
    queue.putBack(clientId, left);
  }

  /**
   * One faulty job must not fail the others: if a batch fails, its jobs run one by one, in order. A batch that took too
   * long is run in halves.
   */
  async function runAlways(clientId: string, jobs: readonly Job[], splitUntil: number): Promise<Array<Result | Error>> {
    try {
      return await run(clientId, jobs);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      const inHalves = isCausedByTimeout(failure) && performance.now() < splitUntil;
      if (jobs.length === 1 || (isOutage(failure) && !inHalves)) return jobs.map(() => failure);
      const most = inHalves ? Math.ceil(jobs.length / 2) : 1;
      const results: Array<Result | Error> = [];
      while (results.length < jobs.length) {
        const part = jobs.slice(results.length, results.length + most);
        results.push(...(await runAlways(clientId, part, splitUntil)));
      }
      return results;
    }
  }

  function isIdle(): boolean {
    return slotsTaken === 0 && slow.size === 0 && queue.size === 0;
  }

  function enqueue(clientId: string, jobs: readonly Job[]): Promise<Array<Result | Error>> {
    return new Promise((settle) => {
      queue.add(clientId, { jobs, results: [], settle, cause: currentSpan()?.context });
      startBatches();
    });
  }

  return {
    async submit(clientId, job) {
      const [result] = await enqueue(clientId, [job]);
      if (result instanceof Error) throw result;
      return result as Result;
    },
    submitTogether: enqueue,
    waiting: () => queue.waiting().reduce((sum, { jobs }) => sum + jobs.length, 0),
    idle() {
      return isIdle() ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}

/** Whether the database is unreachable. Then every job would fail alike, and a try of each would only delay the recovery. */
function isOutage(error: Error): boolean {
  return error instanceof DomainError && error.kind === 'UNAVAILABLE';
}
