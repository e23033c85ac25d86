import { PINNED_LOCALLY } from './pinned-settings.ts';
import type { ServerProcess } from './server-process.ts';

/** Settings of PostgreSQL by name. Names are constants; values are letters, digits, dots and hyphens, and never input. */
export type Settings = Readonly<Record<string, string | number>>;

/** The begin of a transaction, the same for all settings of a database or a login. A read-only server remains read-only. */
export const BEGIN = 'begin isolation level read committed';

/** The rights and the time limits of a transaction. */
export type Scope = {
  readonly role: 'laurel_app' | 'laurel_system';
  /** PostgreSQL refuses every change. */
  readonly readOnly?: boolean;
  /** A canonical UUID, or empty in a system unit of work. */
  readonly clientId: string;
  /** Milliseconds for one statement. */
  readonly statementTimeoutMs: number;
  /** Milliseconds between two statements; afterwards PostgreSQL ends the connection, and with it the locks. */
  readonly idleTimeoutMs: number;
  /** Milliseconds to wait for a lock; if left out, the limit of the statement applies. */
  readonly lockTimeoutMs?: number;
  /** Whether statements are sent only when all earlier ones are answered: then parallel units of work send each step together. */
  readonly awaitsAnswers?: boolean;
};

/** The answer to a begin. */
export type Begun = ServerProcess & { readonly distributed: boolean };

/** SQL that is true in a database that `laurel distribute` has spread over nodes. */
export const DISTRIBUTED = `coalesce(current_setting('laurel.distributed', true), '') = 'on'`;

/**
 * SQL after a BEGIN that sets the role and the client, and answers {@link Begun}. The values are text and not parameters, because only
 * the simple protocol accepts two statements at once; both values are checked.
 * @param isPinned whether the connection has the settings of the service already: see `pinSession`
 */
export function openingOf(scope: Scope, isPinned: boolean): string {
  if (!/^[0-9a-f-]{36}$|^$/.test(scope.clientId)) throw new Error(`Not a client id: ${scope.clientId}`);
  const isApp = scope.role === 'laurel_app';
  const settings = {
    role: scope.role,
    ...(!isApp && { 'laurel.client_id': '' }),
    statement_timeout: scope.statementTimeoutMs,
    idle_in_transaction_session_timeout: scope.idleTimeoutMs,
    ...(scope.lockTimeoutMs !== undefined && { lock_timeout: scope.lockTimeoutMs }),
    // A prepared plan remains in use when the table has grown: the look-up of operation ids, prepared as a sequential scan of an
    // almost empty table, took a thousand times as long at 30,000 rows. Every table has an index by client.
    enable_seqscan: isApp ? 'off' : 'on',
    // In a small table the smaller of two indexes looks cheaper, even if it is not that of the key, and is scanned as a whole once
    // the table has grown. Its rows need a sort that those of the key's index do not: a client whose accounts are created by
    // their events had 550 events a second, and has 8,900.
    enable_sort: isApp ? 'off' : 'on',
  };
  // Every plan suits all values (test/plans), so none is made for single values: planning takes 0.1 ms for each statement. With
  // 2,000 clients that send events now and then, 1,600 events a second became 2,300. A distributed database needs the client to
  // route most statements to a node.
  const planned = isApp ? 'force_generic_plan' : 'auto';
  const plans = `set_config('plan_cache_mode', case when ${DISTRIBUTED} then 'auto' else '${planned}' end, true)`;
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const facts = `pg_backend_pid() as pid, now() as since, ${DISTRIBUTED} as distributed`;
  // Before the others, because one of those is the `lock_timeout`.
  const pinned = isPinned ? [] : [PINNED_LOCALLY];
  const first = `select ${[...pinned, ...calls, plans, facts].join(', ')}`;
  // A SET also reaches the nodes, whose policies need the client. A system unit of work sends none: the nodes would take its role,
  // and a function that runs as the owner of the tables needs the owner's role there.
  return isApp ? `${first}; ${setLocal({ 'laurel.client_id': scope.clientId })}` : first;
}

/**
 * Settings for the rest of the transaction, as text: set_config() affects one node of a distributed database only, and SET
 * accepts no parameters (docs/decisions/0083).
 */
export function setLocal(settings: Settings): string {
  const set = Object.entries(settings).map(([name, value]) => {
    if (!/^[\w.-]*$/.test(String(value))) throw new Error(`Not a value of a setting: ${value}`);
    return `set local ${name} = '${value}'`;
  });
  return set.join('; ');
}
