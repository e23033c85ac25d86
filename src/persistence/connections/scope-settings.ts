import { PINNED_LOCALLY } from './pinned-settings.ts';
import type { ServerProcess } from './server-process.ts';

/** Settings of PostgreSQL by name. Names are ours; values are letters, digits, dots and hyphens, and never input. */
export type Settings = Readonly<Record<string, string | number>>;

/** How a transaction begins, whatever a database or a login has set. A server that was made read-only stays so. */
export const BEGIN = 'begin isolation level read committed';

/** What a transaction may see, and how long it may take. */
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
  /** Milliseconds to wait for a lock; as long as a statement may take where it is left out. */
  readonly lockTimeoutMs?: number;
  /** Statements leave when all that left before are answered: of many units of work side by side, those of one step together. */
  readonly awaitsAnswers?: boolean;
};

/** What the answer to a begin tells. */
export type Begun = ServerProcess & { readonly distributed: boolean };

/** SQL that is true in a database that `laurel distribute` has spread over nodes. */
export const DISTRIBUTED = `coalesce(current_setting('laurel.distributed', true), '') = 'on'`;

/**
 * SQL behind a BEGIN that takes the role and names the client, and answers with what {@link Begun} tells. Text and not parameters,
 * because only the simple protocol takes two statements at once; both values are checked.
 * @param isPinned whether the connection has the settings already that the service relies on: see `pinSession`
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
    // A prepared plan outlives the state that it was made for: the look-up of operation ids, prepared while the table was
    // almost empty and best read whole, took a thousand times as long at 30,000 rows. Every table has an index by client.
    enable_seqscan: isApp ? 'off' : 'on',
    // Of two indexes of a small table the lower one looks cheaper, though it is not that of the key, and is walked through once
    // the table has grown. What the key's index gives in order the other has to sort: a client whose accounts came in with
    // their events had 550 events a second, and has 8,900.
    enable_sort: isApp ? 'off' : 'on',
  };
  // Every plan is right for any values (test/plans), so none is made for some: to plan takes 0.1 ms for each statement. With 2,000
  // clients that send an event now and then, 1,600 events a second became 2,300. A distributed database knows of few statements
  // where to send them before it knows the client.
  const planned = isApp ? 'force_generic_plan' : 'auto';
  const plans = `set_config('plan_cache_mode', case when ${DISTRIBUTED} then 'auto' else '${planned}' end, true)`;
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const facts = `pg_backend_pid() as pid, now() as since, ${DISTRIBUTED} as distributed`;
  // In front of the others, of which one is the limit for locks.
  const pinned = isPinned ? [] : [PINNED_LOCALLY];
  const first = `select ${[...pinned, ...calls, plans, facts].join(', ')}`;
  // The nodes are told as well, by way of a SET: they go by it. Not in a system unit of work, where they would take its role, and a
  // function that runs as the owner of the tables needs the owner's there.
  return isApp ? `${first}; ${setLocal({ 'laurel.client_id': scope.clientId })}` : first;
}

/**
 * Settings for the rest of the transaction, as text: what set_config() sets stays on one node of a distributed database, and SET
 * takes no parameters (docs/decisions/0083).
 */
export function setLocal(settings: Settings): string {
  const set = Object.entries(settings).map(([name, value]) => {
    if (!/^[\w.-]*$/.test(String(value))) throw new Error(`Not a value of a setting: ${value}`);
    return `set local ${name} = '${value}'`;
  });
  return set.join('; ');
}
