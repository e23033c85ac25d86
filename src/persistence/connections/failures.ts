import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';

/** The connection was lost before anything can have been stored; `cause` is the error that showed it. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost before the commit.', { cause });
  }
}

/** A connection on which the server owes an answer and no bytes arrive. */
export class SilentConnection extends Error {
  constructor(reason: string) {
    super(`The connection to the database has gone silent: ${reason}`);
  }
}

/** A unit of work cannot do its work in a transaction that other clients share. It can in a separate one. */
export class NeedsOwnTransaction extends Error {}

/**
 * Another transaction has moved rows between two statements of this one, for example by a merge of accounts. This one gives its locks back
 * by a repeat from the start, because further locks would break their order. Carries the code of a serialization failure, which it is.
 */
export class MovedMeanwhile extends Error {
  readonly code = '40001';
}

/** The database answers but cannot serve; the message tells the operator why. */
export class DatabaseNotReady extends Error {}

/** A statement's text contains a NUL. Carries PostgreSQL's code for that, which MikroORM keeps when it wraps errors. */
export class NulInStatement extends Error {
  readonly code = '22021';
}

/** The SQLSTATE of PostgreSQL, also of an error that MikroORM has wrapped; undefined for an error that is not PostgreSQL's. */
export function sqlStateOf(error: unknown): string | undefined {
  const found = field(error, 'code');
  return found !== undefined && /^[0-9A-Z]{5}$/.test(found) ? found : undefined;
}

/** Whether a unique key exists already: any, or that of `constraint`. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlStateOf(error) !== '23505') return false;
  if (constraint === undefined) return true;
  const name = field(error, 'constraint');
  if (name !== undefined) return name === constraint;
  // A node of a distributed database gives the name in the message only, with the number of its shard at the end.
  return new RegExp(`\\b${constraint}_\\d+\\b`).test((error as Error).message);
}

/** Two transactions conflicted: a deadlock, or a serialization failure. A retry of the whole transaction helps. */
export function isContention(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlStateOf(error) ?? '');
}

/** An earlier statement of the transaction has failed. */
export function isAfterFailure(error: unknown): boolean {
  return sqlStateOf(error) === '25P02';
}

/** A statement exceeded the `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '57014';
}

/** A lock was not free within the `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

/** PostgreSQL ended a transaction that was idle for too long, because the process was busy with something else. */
export function isIdleTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '25P03';
}

/**
 * Whether work failed because its transaction took too long, so that a smaller part of it could succeed. For errors that
 * {@link databaseBusy} has wrapped.
 */
export function isCausedByTimeout(error: unknown): boolean {
  return error instanceof DomainError && (isTimeout(error.cause) || isIdleTimeout(error.cause));
}

/** A text with a NUL, which PostgreSQL cannot store. REST refuses it earlier; the other protocols do not. */
export function isUnstorableText(error: unknown): boolean {
  return ['22021', '22P05'].includes(sqlStateOf(error) ?? '');
}

/** An error with which PostgreSQL ends the connection: shutdown, restart, an administrator, or idle for too long. */
export function isFatal(error: unknown): boolean {
  // The severity is in the language of the server, so the code is checked as well.
  return ['FATAL', 'PANIC'].includes(field(error, 'severity') ?? '') || FATAL.has(sqlStateOf(error) ?? '');
}

/** Ended by an administrator, by a crash of another process, by the drop of its database, or by an idle or transaction timeout. */
const FATAL = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25P04']);

/** A prepared statement that is no longer valid, because a migration changed its table or the server lost it. */
export function isStalePlan(error: unknown): boolean {
  if (isStatementLost(error)) return true;
  return sqlStateOf(error) === '0A000' && field(error, 'routine') === 'RevalidateCachedQuery';
}

/** The server lacks a prepared statement, or has one that it should not have: a pooler switched to another connection. */
export function isStatementLost(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlStateOf(error) ?? '');
}

/** The server runs, but has lost a node of the distributed database that it needs. */
export function isNodeLost(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith('08') ?? false;
}

/** The server's disk is full. */
export function isFull(error: unknown): boolean {
  return sqlStateOf(error) === '53100';
}

/** The server accepts no changes: it was demoted to a replica, or an operator made it read-only. */
export function isReadOnlyServer(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** The server cannot work at present: it has no memory or connections left, or became a read-only replica. */
export function isOutOfService(error: unknown): boolean {
  const state = sqlStateOf(error) ?? '';
  return state.startsWith('53') || isReadOnlyServer(error);
}

/**
 * The database lacks something that the service needs: it accepts no writes, or a role, right, table, column or function is missing.
 * No retry helps, and other calls fail likewise.
 */
export function isMisconfigured(error: unknown): boolean {
  return MISCONFIGURATIONS.has(sqlStateOf(error) ?? '');
}

/** Read-only; no right; an unknown schema, table, column, function, role, or constraint of an `on conflict`. */
const MISCONFIGURATIONS = new Set(['25006', '42501', '3F000', '42P01', '42703', '42883', '42704', '22023', '42P10']);

/** 400 for a text that cannot be stored. */
export function unstorableText(): DomainError {
  return badRequest('A text contains a NUL character. Send it without.');
}

/** 503 for work that conflicted too often or took too long. Nothing was stored. */
export function databaseBusy(cause: unknown): DomainError {
  return new DomainError('DATABASE_BUSY', 'The database is busy, nothing was stored. Repeat the call later.', {
    cause,
  });
}

/** 503 for work whose transaction took too long, even if it only waited for a lock. Nothing was stored. */
export function tookTooLong(cause: unknown): DomainError {
  const message = sentence`The work took longer than it may, nothing was stored. Repeat the call later, or with less at once.`;
  return new DomainError('DATABASE_BUSY', message, { cause });
}

/**
 * Whether work failed because of other transactions at the same time, so that it may succeed alone. For errors that
 * {@link databaseBusy} has wrapped.
 */
export function isCausedByConcurrency(error: unknown): boolean {
  return isCausedByTimeout(error) || (error instanceof DomainError && isContention(error.cause));
}

/** 503 for a database that cannot be reached. Nothing was stored. */
export function databaseUnavailable(cause: unknown): DomainError {
  const message = sentence`The database cannot be reached, nothing was stored. Repeat the call later.`;
  return new DomainError('DATABASE_UNAVAILABLE', message, { cause });
}

/** 503 for a database whose disk is full. Nothing was stored. */
export function databaseFull(cause: unknown): DomainError {
  const message = sentence`The database has no room left, nothing was stored. Repeat the call later; the operator of the service must make room.`;
  return new DomainError('DATABASE_FULL', message, { cause });
}

/** 503 for a commit whose answer was lost: its outcome is unknown, so only an operation id makes a retry safe. */
export function outcomeUnknown(cause: unknown): DomainError {
  const message = sentence`The connection to the database was lost before it confirmed. Read the state, or repeat the call with the same operation id.`;
  return new DomainError('DATABASE_UNAVAILABLE', message, { cause });
}

function field(error: unknown, name: string): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const value = (at as unknown as Record<string, unknown>)[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
