import { type Client, processIdOf } from '../driver/driver.ts';
import type { ServerProcess } from './server-process.ts';

/**
 * Settings that the statements, and the parsers of their answers, need. Other values may be set for a database, a login or the
 * whole server at any time, also while the service runs: docs/decisions/0088.
 */
const PINNED = {
  search_path: 'public',
  // The format of moments, numbers and bytes in answers.
  datestyle: 'ISO, MDY',
  timezone: 'UTC',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // The syntax of texts and arrays: else a NULL in an array would be a text, and a backslash would escape the next character.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Else PostgreSQL refuses statements whose rows a policy would filter.
  row_security: 'on',
  // The limit of the statement applies, unless a transaction sets a shorter one.
  lock_timeout: '0',
  // Before PostgreSQL 18 a disabled kind of plan has so high a cost that the plan would be compiled, for half a second.
  jit: 'off',
} as const;

/** Settings of a connection between its transactions. Behind a pooler, the pooler sets them. */
const PINNED_BETWEEN = { default_transaction_isolation: 'read committed', idle_session_timeout: '0' } as const;

/** Settings of a connection without time limits for statements and transactions, such as that of a migration. */
const WITHOUT_TIMEOUTS = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  client_min_messages: 'notice',
} as const;

/** Sets `transaction_timeout` from PostgreSQL 17 on; older servers lack it. The limits of a transaction are in its `Scope`. */
const WITHOUT_TRANSACTION_LIMIT = (isLocal: boolean) =>
  `case when current_setting('server_version_num')::int >= 170000 then set_config('transaction_timeout', '0', ${isLocal}) end`;

/**
 * The schemas of the extensions, if a DBA has not put them into `public`: a migration names their operator classes. It has to
 * come after the plain `search_path`, which it replaces.
 */
const WITH_EXTENSIONS = (isLocal: boolean) =>
  `set_config('search_path', (select 'public' || coalesce(string_agg(', ' || quote_ident(nspname), ''), '') from pg_namespace n
     where nspname <> 'public' and exists (select from pg_extension
       where extnamespace = n.oid and extname in ('pg_trgm', 'btree_gin'))), ${isLocal})`;

function calls(settings: Readonly<Record<string, string>>, isLocal: boolean): string {
  const each = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);
  return [...each, WITHOUT_TRANSACTION_LIMIT(isLocal)].join(', ');
}

/** Items of a select that set the settings for the rest of the transaction, which works behind every pooler. */
export const PINNED_LOCALLY = calls(PINNED, true);

/** The same for a transaction without time limits. */
export const PINNED_WITHOUT_TIMEOUTS = `${calls({ ...PINNED, ...WITHOUT_TIMEOUTS }, true)}, ${WITH_EXTENSIONS(true)}`;

/** SQL for a moment to the microsecond, as text that any connection can read, with any settings. */
export function exactMoment(moment: string): string {
  return `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * Sets the settings for the lifetime of the connection. Behind a pooler, which lends the connection to others, it sets nothing, and each
 * transaction has to set them. Send it first; the caller need not wait for the answer.
 * @param isUnlimited whether the connection has no time limits for statements and transactions
 * @returns the server process of the connection; undefined behind a pooler, where nothing was set
 */
export async function pinSession(client: Client, { isUnlimited = false } = {}): Promise<ServerProcess | undefined> {
  const settings = { ...PINNED, ...PINNED_BETWEEN, ...(isUnlimited && WITHOUT_TIMEOUTS) };
  const pinned = [calls(settings, false), ...(isUnlimited ? [WITH_EXTENSIONS(false)] : [])];
  // A pooler reports a number that is not the process's, and may use another process for the next transaction. The start of the
  // process is visible to the login, and not to the roles of the transactions.
  const { rows } = await client.query<ServerProcess>(
    `select ${pinned.join(', ')}, pg_backend_pid() as pid,
            ${exactMoment('(select backend_start from pg_stat_get_activity(pg_backend_pid()))')} as since
      where pg_backend_pid() = ${processIdOf(client)}`,
  );
  const [row] = rows;
  return row && { pid: row.pid, since: row.since };
}
