import { type Client, processIdOf } from '../driver/driver.ts';
import type { ServerProcess } from './server-process.ts';

/**
 * What statements and the reading of their answers rely on. Anyone may set it otherwise for a database, a login or the whole
 * server, also while the service runs: docs/decisions/0088.
 */
const PINNED = {
  search_path: 'public',
  // How moments, numbers and bytes are written into answers.
  datestyle: 'ISO, MDY',
  timezone: 'UTC',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // How texts and arrays are read: a NULL in an array would be a text, and a backslash would escape what follows it.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Else PostgreSQL refuses what a policy would filter.
  row_security: 'on',
  // As long as a statement may take, unless a transaction says otherwise.
  lock_timeout: '0',
  // Before PostgreSQL 18 what is switched off seems to cost so much that the plan would be compiled, for half a second.
  jit: 'off',
} as const;

/** What a connection keeps between its transactions. Behind a pooler that is the pooler's business. */
const PINNED_BETWEEN = { default_transaction_isolation: 'read committed', idle_session_timeout: '0' } as const;

/** For a connection whose statements and transactions may take as long as they like, such as that of a migration. */
const PATIENT = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  client_min_messages: 'notice',
} as const;

/** PostgreSQL 15 and 16 do not know it. Each transaction has its limits by `Scope`. */
const WITHOUT_TRANSACTION_LIMIT = (isLocal: boolean) =>
  `case when current_setting('server_version_num')::int >= 170000 then set_config('transaction_timeout', '0', ${isLocal}) end`;

/**
 * Where a DBA has put the extensions, if not into `public`: a migration names their operator classes. Behind the pin of the same
 * setting.
 */
const WITH_EXTENSIONS = (isLocal: boolean) =>
  `set_config('search_path', (select 'public' || coalesce(string_agg(', ' || quote_ident(nspname), ''), '') from pg_namespace n
     where nspname <> 'public' and exists (select from pg_extension
       where extnamespace = n.oid and extname in ('pg_trgm', 'btree_gin'))), ${isLocal})`;

function calls(settings: Readonly<Record<string, string>>, isLocal: boolean): string {
  const each = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);
  return [...each, WITHOUT_TRANSACTION_LIMIT(isLocal)].join(', ');
}

/** Items of a select that pin for the rest of the transaction, which holds behind every pooler. */
export const PINNED_LOCALLY = calls(PINNED, true);

/** The same for a transaction that may take as long as it likes. */
export const PINNED_PATIENTLY = `${calls({ ...PINNED, ...PATIENT }, true)}, ${WITH_EXTENSIONS(true)}`;

/** SQL for a moment as any connection reads it again, to the microsecond, whatever either has set. */
export function exactMoment(moment: string): string {
  return `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * Pins for as long as the connection lives, where no pooler lends it to others: there a transaction has to pin for itself.
 * Send it first; nobody has to wait for it.
 * @param isPatient whether its statements may take as long as they like
 * @returns what serves the connection; undefined behind a pooler, where nothing was set
 */
export async function pinSession(client: Client, { isPatient = false } = {}): Promise<ServerProcess | undefined> {
  const settings = { ...PINNED, ...PINNED_BETWEEN, ...(isPatient && PATIENT) };
  const pinned = [calls(settings, false), ...(isPatient ? [WITH_EXTENSIONS(false)] : [])];
  // A pooler tells a number of its own, and has another process for the next transaction. The start of the login's process is
  // shown to the login, and not to the roles that transactions take.
  const { rows } = await client.query<ServerProcess>(
    `select ${pinned.join(', ')}, pg_backend_pid() as pid,
            ${exactMoment('(select backend_start from pg_stat_get_activity(pg_backend_pid()))')} as since
      where pg_backend_pid() = ${processIdOf(client)}`,
  );
  const [row] = rows;
  return row && { pid: row.pid, since: row.since };
}
