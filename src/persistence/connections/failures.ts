import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';

/** The connection went away when nothing can have been stored yet; `cause` says how that was noticed. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost before the commit.', { cause });
  }
}

/** A connection on which the server owed an answer and has fallen silent. */
export class SilentConnection extends Error {
  constructor(reason: string) {
    super(`The connection to the database has gone silent: ${reason}`);
  }
}

/** A unit of work cannot do what it has to in a transaction that other clients share. Alone it can. */
export class NeedsOwnTransaction extends Error {}

/** Why the database cannot serve although it answers, in words for an operator. */
export class Unfit extends Error {}

/** A statement's text has a NUL in it. Carries PostgreSQL's own code for that, which survives MikroORM's wrapping. */
export class NulInStatement extends Error {
  readonly code = '22021';
}

/** The SQLSTATE that PostgreSQL gave, also through MikroORM's wrapping; undefined for an error that is not PostgreSQL's. */
export function sqlStateOf(error: unknown): string | undefined {
  const found = field(error, 'code');
  return found !== undefined && /^[0-9A-Z]{5}$/.test(found) ? found : undefined;
}

/** Whether the row would repeat a unique key, of `constraint` if one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlStateOf(error) !== '23505') return false;
  if (constraint === undefined) return true;
  const name = field(error, 'constraint');
  if (name !== undefined) return name === constraint;
  // A node of a distributed database names it in the message alone, and as on its part of the table: with a number behind.
  return new RegExp(`\\b${constraint}_\\d+\\b`).test((error as Error).message);
}

/** Two transactions stood in each other's way: a deadlock, or a serialization failure. Repeating it as a whole helps. */
export function isContention(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlStateOf(error) ?? '');
}

/** A statement took longer than it may. */
export function isTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '57014';
}

/** A lock was not free within the `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

/** The transaction was idle for longer than it may, because the process had something else to do; PostgreSQL ended it. */
export function isIdleTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '25P03';
}

/**
 * Whether work failed because it took longer than a transaction may, so that less of it at once would succeed. For errors
 * as {@link databaseBusy} wraps them.
 */
export function outlastedItsTime(error: unknown): boolean {
  return error instanceof DomainError && (isTimeout(error.cause) || isIdleTimeout(error.cause));
}

/** A text with a NUL, which PostgreSQL cannot hold. REST refuses one before, other protocols let it through to here. */
export function isUnstorableText(error: unknown): boolean {
  return ['22021', '22P05'].includes(sqlStateOf(error) ?? '');
}

/** PostgreSQL ends the connection with this error: shutdown, restart, an administrator, or idle for too long. */
export function isFatal(error: unknown): boolean {
  // The words are in the language of the server's messages.
  return ['FATAL', 'PANIC'].includes(field(error, 'severity') ?? '') || FATAL.has(sqlStateOf(error) ?? '');
}

/** Ended by an administrator, by a crash of another process, with its database, idle for too long, or a transaction beyond its limit. */
const FATAL = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25P04']);

/** A prepared statement that no longer fits, because a migration changed its table or the server forgot it. */
export function isStalePlan(error: unknown): boolean {
  if (isStatementLost(error)) return true;
  return sqlStateOf(error) === '0A000' && field(error, 'routine') === 'RevalidateCachedQuery';
}

/** The server does not know a statement that was prepared, or knows one that was not: a pooler gave it another connection. */
export function isStatementLost(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlStateOf(error) ?? '');
}

/** The server lives, and has lost the node of a distributed database that it needs. */
export function isNodeLost(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith('08') ?? false;
}

/** The server's disk is full. */
export function isFull(error: unknown): boolean {
  return sqlStateOf(error) === '53100';
}

/** The server takes no changes: it was demoted to a replica, or an operator made it read-only. */
export function isReadOnlyServer(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** The server cannot work at present: no memory, no connections, or it became a read-only replica. */
export function isOutOfService(error: unknown): boolean {
  const state = sqlStateOf(error) ?? '';
  return state.startsWith('53') || isReadOnlyServer(error);
}

/**
 * The database is not as the service needs it: it takes no writes, or a role, right, table, column or function is missing. No
 * repetition helps, and other calls fail likewise.
 */
export function isMisfit(error: unknown): boolean {
  return MISFIT.has(sqlStateOf(error) ?? '');
}

/** Read only; no right; no such schema, table, column, function, role or key to conflict with. */
const MISFIT = new Set(['25006', '42501', '3F000', '42P01', '42703', '42883', '42704', '22023', '42P10']);

/** 400 for a text that cannot be stored as it was sent. */
export function unstorableText(): DomainError {
  return badRequest('A text contains a NUL character. Send it without.');
}

/** 503 for work that gave way too often or took too long. Nothing was stored. */
export function databaseBusy(cause: unknown): DomainError {
  return new DomainError('DATABASE_BUSY', 'The database is busy, nothing was stored. Repeat the call later.', {
    cause,
  });
}

/** 503 for work that took longer than a transaction may, be it that somebody else held what it needed. Nothing was stored. */
export function tookTooLong(cause: unknown): DomainError {
  const message = sentence`The work took longer than it may, nothing was stored. Repeat the call later, or with less at once.`;
  return new DomainError('DATABASE_BUSY', message, { cause });
}

/**
 * Whether work failed for what others did in the same moment, so that it may succeed alone. For errors as {@link databaseBusy}
 * wraps them.
 */
export function metOthers(error: unknown): boolean {
  return outlastedItsTime(error) || (error instanceof DomainError && isContention(error.cause));
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

/** 503 for a commit whose answer was lost: it may or may not have happened, so only an operation id makes a repetition safe. */
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
