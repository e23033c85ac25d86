import { SECRET_KEY } from '../support/laurel.ts';

/** A fault of a database that makes it unusable for the service, and the message that the service must show. */
export type Broken = {
  readonly name: string;
  /** Statements of the superuser in a healthy database, at which the login `operator` may serve. */
  readonly sql: string;
  /** Reverts changes of `sql` outside of its database. */
  readonly undo?: string;
  /** Settings of the commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** Words of the fault in the message. */
  readonly problem: RegExp;
  /** Words of the remedy in the message. */
  readonly remedy: RegExp;
  /** Whether a running service becomes unready as well. A setting of the service itself cannot change while it runs. */
  readonly whileRunning: boolean;
};

/** The login that serves. It owns no tables, as if another login migrates. */
export const SERVING_LOGIN = 'operator';

/** The faults, one by one; if the service started, each would make calls fail, or break the isolation. */
export const BROKEN: readonly Broken[] = [
  {
    name: 'a role is missing, because roles are in no dump',
    sql: 'alter role laurel_app rename to laurel_app_gone',
    undo: 'alter role laurel_app_gone rename to laurel_app',
    problem: /There is no role laurel_app on this server/,
    remedy: /laurel -- roles/,
    whileRunning: true,
  },
  {
    name: 'the login may not take a role',
    sql: `revoke laurel_system from ${SERVING_LOGIN}`,
    undo: `grant laurel_system to ${SERVING_LOGIN}`,
    problem: /login operator may not take the role laurel_system/,
    remedy: /roles --login operator/,
    whileRunning: true,
  },
  {
    name: 'a role sees past row-level security',
    sql: 'alter role laurel_app bypassrls',
    undo: 'alter role laurel_app nobypassrls',
    problem: /laurel_app is bound by no row-level security/,
    remedy: /alter role laurel_app nosuperuser nobypassrls/,
    whileRunning: true,
  },
  {
    name: 'a right on a table is missing',
    sql: 'revoke insert on account from laurel_app',
    problem: /laurel_app may not INSERT into account/i,
    remedy: /laurel -- roles/,
    whileRunning: true,
  },
  {
    name: 'a policy was dropped',
    sql: 'drop policy own_client on campaign',
    problem: /campaign has no policy for laurel_app/,
    remedy: /restore/i,
    whileRunning: true,
  },
  {
    name: 'a policy shows every client to everybody',
    sql: 'alter policy own_client on campaign using (true)',
    problem: /policy own_client of campaign .* does not name the client/,
    remedy: /restore/i,
    whileRunning: true,
  },
  {
    name: 'row-level security is off',
    sql: 'alter table point_entry disable row level security',
    problem: /row-level security is off on point_entry/i,
    remedy: /enable row level security/,
    whileRunning: true,
  },
  {
    name: 'row-level security is not forced',
    sql: 'alter table point_entry no force row level security',
    problem: /row-level security does not bind the owner of point_entry/i,
    remedy: /force row level security/,
    whileRunning: true,
  },
  {
    name: 'a function is missing',
    sql: 'drop function folded cascade',
    problem: /no function folded/,
    remedy: /restore/i,
    whileRunning: true,
  },
  {
    name: 'an extension is missing',
    sql: 'drop extension pg_trgm cascade',
    problem: /extension pg_trgm is missing/,
    remedy: /create extension/,
    whileRunning: true,
  },
  {
    name: 'the view of accounts has another owner',
    sql: 'alter view account_search owner to laurel',
    problem: /account_search belongs to laurel/,
    remedy: /alter view account_search owner to laurel_system/,
    whileRunning: true,
  },
  {
    name: 'a table is missing, after a restore that stopped half-way',
    sql: 'drop table webhook_delivery cascade',
    problem: /table webhook_delivery is missing/,
    remedy: /restore/i,
    whileRunning: true,
  },
  {
    name: 'a column is missing',
    sql: 'alter table account drop column email cascade',
    problem: /column email of account is missing/,
    remedy: /restore/i,
    whileRunning: true,
  },
  {
    name: 'a unique key is missing',
    sql: 'alter table operation drop constraint operation_pkey cascade',
    problem: /key operation_pkey of operation is missing/,
    remedy: /restore/i,
    whileRunning: true,
  },
  {
    name: 'a migration is pending, as after the restore of an older dump',
    sql: 'delete from migration where name = (select max(name) from migration)',
    problem: /lacks 1 migration/,
    remedy: /laurel -- migrate/,
    whileRunning: true,
  },
  {
    name: 'there is a migration of a newer release',
    sql: `insert into migration (name, executed_at) values ('20991231000000-from-the-future', now())`,
    problem: /newer release.*20991231000000-from-the-future/,
    remedy: /start the release/i,
    // While a newer release is rolled out, its migrations come first, and the running service continues.
    whileRunning: false,
  },
  {
    name: 'the list of migrations is missing',
    sql: 'drop table migration',
    problem: /holds no Laurel/,
    remedy: /DATABASE_URL/,
    whileRunning: true,
  },
  {
    name: 'the dump was taken under row-level security, and holds no row',
    sql: `delete from whole_dump; truncate client cascade`,
    problem: /taken under row-level security and holds no rows/,
    remedy: /docs\/backup\.md/,
    whileRunning: true,
  },
  {
    name: 'the secret key is another',
    sql: '',
    env: { LAUREL_SECRET_KEYS: Buffer.alloc(32, 'another').toString('base64') },
    problem: /1 webhook holds a secret .* key [0-9a-f]{8}, which is not configured/,
    remedy: /secret\.key|LAUREL_SECRET_KEYS/,
    whileRunning: false,
  },
  {
    name: 'the secret key of alerts is another',
    sql: `insert into alert_setting (client_id, language, signing_secret_sealed) select id, 'EN', '1.0ff0cc0d.x.y' from client`,
    problem: /1 client's alerts have a signing secret that was sealed under key 0ff0cc0d, which is not configured/,
    remedy: /LAUREL_SECRET_KEYS/,
    whileRunning: false,
  },
  {
    name: 'the server takes no writes',
    sql: `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    problem: /takes no writes/,
    remedy: /primary|default_transaction_read_only/,
    whileRunning: true,
  },
];

/** Settings of a command on the database at `url`. */
export function settings(url: string, { env = {} }: Pick<Broken, 'env'> = {}): Record<string, string> {
  return { DATABASE_URL: url, LAUREL_SECRET_KEYS: SECRET_KEY, ...env };
}
