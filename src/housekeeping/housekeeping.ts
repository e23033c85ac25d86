import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/time/clock.ts';
import { during, startSpan } from '../kernel/tracing.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { clientIds } from '../clients/client-ids.ts';
import { withLockTimeout } from '../persistence/connections/lock-timeout.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { isLockTimeout, isCausedByTimeout } from '../persistence/connections/failures.ts';

/** A recurring job on which no answer depends. */
export type ScheduledJob = {
  /** The name in the log. */
  readonly name: string;
  /** Milliseconds between the end of a round and the next. */
  readonly everyMs: number;
  /**
   * Whether it deletes old data for good, and so waits while the clock is not trusted. Then `now` is a trusted time,
   * read again for each client.
   */
  readonly irrevocable?: true;
  /** Does the work for all clients together first, and returns the number of processed things. */
  readonly runForAll?: (uow: UnitOfWork, now: Date) => Promise<number>;
  /**
   * The clients with possible work, in a system unit of work; every client if left out. Frequent jobs need it, because a transaction for
   * each of thousands of idle clients takes seconds: docs/decisions/0051.
   */
  readonly due?: (uow: UnitOfWork, now: Date) => Promise<string[]>;
  /** Does the work for one client, in small transactions, and returns the number of processed things. */
  readonly run: (db: Database, clientId: string, now: Date) => Promise<number>;
};

/** Runs the scheduled jobs of every client. Any number of processes may run them on the same database: the processes share the work. */
export type Housekeeping = {
  /** Starts the jobs at random times, so that processes started together do not work at the same time. */
  start(): void;
  /** Begins no further transaction and waits for the running ones. The rest is done after the next start. */
  stop(): Promise<void>;
};

export type HousekeepingOptions = {
  readonly db: Database;
  readonly jobs: readonly ScheduledJob[];
  readonly clock: Clock;
  /** The current time if the clock is trusted for irreversible work; undefined if that must wait. By default the clock is trusted. */
  readonly trustedNow?: () => Promise<Date | undefined>;
  readonly logger: Logger;
  /** Called after each round. `failures` is the number of clients for which it failed, or 1 for an abandoned round. */
  readonly observe?: (job: ScheduledJob, round: { readonly seconds: number; readonly failures: number }) => void;
};

/** Milliseconds after the start within which every job runs for the first time. */
const BEGIN_WITHIN_MS = 60_000;

/** Milliseconds that a job waits for a locked row: the job will run again, and callers wait for the rows that it has locked already. */
const LOCK_MS = 1_000;

/** The housekeeping of this process. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { db, jobs, clock, trustedNow, logger, observe } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const background = backgroundDatabase(withLockTimeout(db, LOCK_MS), signal);
  let loops: Promise<void>[] = [];

  async function runPeriodically(job: ScheduledJob): Promise<void> {
    let waitMs = Math.random() * Math.min(job.everyMs, BEGIN_WITHIN_MS);
    while (await pause(waitMs, signal)) {
      const begun = performance.now();
      const span = startSpan({ name: `job ${job.name}`, kind: 'INTERNAL' });
      const failures = await during(span, () => runOnce(job));
      if (!signal.aborted) observe?.(job, { seconds: (performance.now() - begun) / 1_000, failures });
      waitMs = job.everyMs;
    }
  }

  /** The current time for a job; undefined if the job must wait. */
  async function presentOf({ irrevocable }: ScheduledJob): Promise<Date | undefined> {
    return irrevocable && trustedNow ? trustedNow() : clock();
  }

  async function runOnce(job: ScheduledJob): Promise<number> {
    let failures = 0;
    try {
      const now = await presentOf(job);
      if (now === undefined) return failures;
      const { runForAll } = job;
      const count = runForAll ? await background.systemUnitOfWork((uow) => runForAll(uow, now)) : 0;
      if (count > 0) logger.info({ job: job.name, count }, 'housekeeping');
      const due = job.due ?? clientIds;
      for (const clientId of await background.systemUnitOfWork((uow) => due(uow, clock())))
        if (!(await doFor(clientId, job))) failures += 1;
      return failures;
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error, job: job.name }, 'housekeeping: the round was left off');
      return failures + 1;
    }
  }

  /** A failure for one client does not stop the job for the others, unless the database fails. False if it failed. */
  async function doFor(clientId: string, job: ScheduledJob): Promise<boolean> {
    const { name, run } = job;
    try {
      const now = await presentOf(job);
      const count = now === undefined ? 0 : await run(background, clientId, now);
      if (count > 0) logger.info({ job: name, clientId, count }, 'housekeeping');
      return true;
    } catch (error) {
      if (signal.aborted || isOfDatabase(error)) throw error;
      if (isLockTimeout(error)) {
        logger.warn({ err: error, job: name, clientId }, 'housekeeping: a row is in use; the job comes again');
        return true;
      }
      logger.error({ err: error, job: name, clientId }, 'housekeeping: the job failed for this client');
      return false;
    }
  }

  return {
    start() {
      if (loops.length === 0) loops = jobs.map(runPeriodically);
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** Whether the error would affect other clients as well. A timeout concerns the one client. */
function isOfDatabase(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'UNAVAILABLE' && !isCausedByTimeout(error);
}

/**
 * The database for background work: after each transaction it pauses for as long as that took, so that a job uses at
 * most half of one connection. After `signal` no further transaction begins.
 */
function backgroundDatabase(db: Database, signal: AbortSignal): Database {
  async function withPause<T>(work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const begun = performance.now();
    const result = await work();
    await pause(performance.now() - begun, signal);
    return result;
  }
  return {
    ...db,
    unitOfWork: (clientId, work) => withPause(() => db.unitOfWork(clientId, work)),
    systemUnitOfWork: (work) => withPause(() => db.systemUnitOfWork(work)),
  };
}

/** Waits `ms` milliseconds. Returns true afterwards, or false as soon as `signal` aborts. Does not keep the process alive. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
