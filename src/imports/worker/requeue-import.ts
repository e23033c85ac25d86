import { sentence } from '../../kernel/sentence.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { isLockTimeout } from '../../persistence/connections/failures.ts';
import { LostRun } from './apply-file.ts';
import { endImport } from '../imports.queries.ts';
import { lockImport, LONGEST_LEASE_MS, noteWaiting, releaseLease, retryLater } from './jobs.queries.ts';
import type { ImportJob } from './import-job.ts';

/** The limits of waiting for a locked row or an unreachable database, in milliseconds. */
export type ImportTimeouts = {
  /** For a locked row, until the whole batch is rolled back: others wait for the rows that the batch has locked. */
  readonly lockMs: number;
  /** The pause before the next attempt: half of the time waited so far, within these bounds. */
  readonly pauseMs: { readonly min: number; readonly max: number };
  /** The longest wait without progress; then the import is FAILED. */
  readonly giveUpMs: number;
};

/** The reasons for the values: docs/decisions/0022. */
export const IMPORT_TIMEOUTS: ImportTimeouts = {
  lockMs: 1_000,
  pauseMs: { min: 2_000, max: LONGEST_LEASE_MS },
  giveUpMs: 86_400_000,
};

/** The dependencies of {@link requeueImport}. */
export type RequeueOptions = {
  readonly log: Logger;
  readonly timeouts: ImportTimeouts;
  /** Milliseconds before the retry of a failed import. */
  readonly retryMs: number;
};

/** Milliseconds between two attempts to release an import while the database is unreachable. */
const UNREACHED_MS = 500;

/**
 * Releases an import after `error`, so that any free worker tries it again. Waiting for a row or the database is not a failure. While the
 * database is unreachable this function waits, because an import with an expired lease counts as one whose process died.
 * @throws DomainError unavailable if the process must stop meanwhile
 */
export async function requeueImport(job: ImportJob, error: unknown, means: RequeueOptions): Promise<void> {
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await requeueOnce(job, error, means);
    } catch (failure) {
      if (!isUnavailable(failure) || job.signal.aborted) throw failure;
      if (!isLogged) means.log.warn({ err: failure }, 'import: waits until the database can be reached');
      await sleep(UNREACHED_MS, undefined, { signal: job.signal }).catch(() => {});
    }
  }
}

async function requeueOnce(job: ImportJob, error: unknown, { log, timeouts, retryMs }: RequeueOptions): Promise<void> {
  const { db, clientId, run, signal } = job;
  if (error instanceof LostRun) {
    log.info(LOST);
  } else if (signal.aborted) {
    await db.unitOfWork(clientId, (uow) => releaseLease(uow, run));
  } else if (mustWait(error)) {
    await wait(job, error, { log, timeouts });
  } else {
    log.error({ err: error }, 'import: failed; it is tried again');
    await db.unitOfWork(clientId, (uow) => retryLater(uow, run, retryMs));
  }
}

/** The line of the log about an import that this process may not work on any more. */
const LOST = 'import: was cancelled, or another process works on it';

/** Whether the cause is outside the file and the service, so that waiting helps. */
function mustWait(error: unknown): boolean {
  return isUnavailable(error) || isLockTimeout(error) || isInProgress(error);
}

/** Whether another call applies one of the operations at this moment. */
function isInProgress(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'IN_PROGRESS';
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'UNAVAILABLE';
}

async function wait(job: ImportJob, error: unknown, { log, timeouts }: Omit<RequeueOptions, 'retryMs'>): Promise<void> {
  const { db, clientId, run, clock } = job;
  const { pauseMs, giveUpMs } = timeouts;
  const waited = await db.unitOfWork(clientId, async (uow) => {
    if (!(await lockImport(uow, run))) return undefined;
    const since = await noteWaiting(uow, run);
    const retryInMs = Math.round(Math.min(pauseMs.max, Math.max(pauseMs.min, since.ms / 2)));
    const isOver = since.ms >= giveUpMs;
    if (isOver) await endImport(uow, run.importId, { status: 'FAILED', error: waitedTooLong(since.at), now: clock() });
    else await releaseLease(uow, run, retryInMs);
    return { isOver, facts: { err: error, waitingSince: since.at, retryInMs } };
  });
  if (waited === undefined) log.info(LOST);
  else if (waited.isOver) log.error(waited.facts, 'import: has waited too long and is FAILED');
  else log.warn(waited.facts, 'import: waits for a locked row or the database');
}

/** The message about an import that waited too long. */
function waitedTooLong(since: Date): string {
  return String(
    sentence`No row could be applied since ${since}: a row that the file changes was in use all the time, or the database could not be used. The log tells which, under the id of this import. Look for long transactions, then load the file again: rows that were applied are unchanged then.`,
  );
}
