import { randomBytes } from 'node:crypto';
import { sqlStateOf } from '../connections/failures.ts';
import { PINNED_WITHOUT_TIMEOUTS } from '../connections/pinned-settings.ts';
import { type Client, connectClient } from '../driver/driver.ts';
import {
  createRole,
  grantRoleSql,
  OWNERS_FUNCTIONS,
  quoted,
  RIGHTS,
  rightsOf,
  schemaRights,
  SERVICE_ROLES,
} from './service-roles.ts';

/** The options of `laurel roles`. */
export type RolesWanted = {
  /** Further logins that get the roles, beside the current one. They must exist. */
  readonly logins: readonly string[];
  /** A login for dumps to create, or to give a new password. */
  readonly backupLogin?: string | undefined;
};

/** The changes, as sentences; and the password of the backup login, which is shown once. */
export type RolesDone = { readonly done: readonly string[]; readonly backupPassword: string | undefined };

/**
 * Makes the roles of the service on the server of `url`, lets logins take them, and grants missing rights after a restore. In an empty
 * database it only creates the roles, so that it can run before a restore. It runs in one transaction; a second run changes nothing.
 * @throws Error with the SQL for a superuser, if this login lacks the rights
 */
export async function repairRoles(url: string, { logins, backupLogin }: RolesWanted): Promise<RolesDone> {
  const client = await connectClient({ url, name: 'laurel roles' });
  const done: string[] = [];
  const ran: string[] = [];
  const run = async (sql: string) => {
    ran.push(sql);
    await client.query(sql);
  };
  try {
    await client.query(`begin; select ${PINNED_WITHOUT_TIMEOUTS}`);
    for (const role of SERVICE_ROLES) {
      if (!(await has(client, 'select from pg_roles where rolname = $1', [role])))
        done.push(`Created the role ${role}.`);
      await run(createRole(role));
      for (const login of logins) {
        if (!(await mayTake(client, login, role))) done.push(`The login ${login} may take the role ${role} now.`);
        await run(grantRoleSql(role, login));
      }
    }
    done.push(...(await grantMissing(client, run, logins)));
    const backupPassword = backupLogin === undefined ? undefined : randomBytes(24).toString('base64url');
    if (backupLogin !== undefined) {
      const exists = await has(client, 'select from pg_roles where rolname = $1', [backupLogin]);
      for (const sql of backupLoginSql(client, backupLogin, backupPassword!, exists)) await run(sql);
      done.push(`The login ${backupLogin} may read every row, and write none.`);
    }
    await client.query('commit');
    return { done, backupPassword };
  } catch (error) {
    throw sqlStateOf(error) === '42501' ? notAllowed(ran, error) : error;
  } finally {
    await client.end();
  }
}

async function has(client: Client, sql: string, values: readonly unknown[] = []): Promise<boolean> {
  return ((await client.query(sql, [...values])).rowCount ?? 0) > 0;
}

async function mayTake(client: Client, login: string, role: string): Promise<boolean> {
  if (!(await has(client, 'select from pg_roles where rolname = $1', [login]))) {
    throw new Error(
      `There is no login ${login} on this server: create it first, \`create role ${login} login password '...'\`.`,
    );
  }
  return has(
    client,
    `select where pg_has_role($1, $2, case when current_setting('server_version_num')::int >= 160000
                                           then 'SET' else 'MEMBER' end)`,
    [login, role],
  );
}

/** Whether the default privileges of a login's tables in the schema include a role. */
const LATER_TABLES = `select from pg_default_acl d cross join lateral aclexplode(d.defaclacl) as acl
  where d.defaclrole = $1::regrole and d.defaclnamespace = 'public'::regnamespace and d.defaclobjtype = 'r'
    and acl.grantee = $2::regrole and acl.privilege_type = 'DELETE'`;

/** Grants the rights in this database. It does not recreate policies: if they are missing, other parts may be missing too. */
async function grantMissing(
  client: Client,
  run: (sql: string) => Promise<void>,
  logins: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ migrates: string }>(
    `select pg_get_userbyid(relowner)::text as migrates from pg_class where oid = to_regclass('public.migration')`,
  );
  const migrates = rows[0]?.migrates;
  if (migrates === undefined) return [];
  const done: string[] = [];
  for (const role of SERVICE_ROLES) {
    if (!(await has(client, `select where has_schema_privilege($1, 'public', 'usage')`, [role]))) {
      done.push(`Granted the role ${role} the use of the schema public.`);
    }
    const [usage, defaults] = schemaRights(role);
    await run(usage!);
    if (!(await has(client, LATER_TABLES, [migrates, role]))) {
      await run(defaults!.replace('privileges', `privileges for role ${client.escapeIdentifier(migrates)}`));
      done.push(`Tables that ${migrates} creates later give ${role} its rights.`);
    }
    const held = await client.query<{ table: string; rights: string[] }>(
      `select relname as table, array(select wanted from unnest($2::text[]) as wanted
                                       where has_table_privilege($1, c.oid, wanted)) as rights
         from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
           and (relname in ('client', 'whole_dump') or exists (select from pg_attribute
                 where attrelid = c.oid and attname = 'client_id')) order by relname`,
      [role, RIGHTS],
    );
    for (const { table, rights } of held.rows) {
      const missing = rightsOf(role, table).filter((right) => !rights.includes(right));
      if (missing.length === 0) continue;
      await run(`grant ${missing.join(', ')} on ${client.escapeIdentifier(table)} to ${role};`);
      done.push(`Granted ${missing.join(', ')} on ${table} to ${role}.`);
    }
  }
  for (const name of OWNERS_FUNCTIONS) {
    const lacks = `select where not has_function_privilege('laurel_system', to_regprocedure($1), 'execute')`;
    if (!(await has(client, lacks, [name]))) continue;
    await run(`grant execute on function ${name} to laurel_system;`);
    done.push(`Granted EXECUTE on ${name} to laurel_system.`);
  }
  for (const login of logins) {
    const reads = `select where has_table_privilege($1, 'public.migration', 'select')
                            and has_schema_privilege($1, 'public', 'usage')`;
    if (await has(client, reads, [login])) continue;
    await run(`grant usage on schema public to ${client.escapeIdentifier(login)};`);
    await run(`grant select on public.migration to ${client.escapeIdentifier(login)};`);
    done.push(`The login ${login} may read the list of migrations now.`);
  }
  return done;
}

/** SQL for the backup login. It bypasses policies, or its dumps would be empty; and it cannot write, in case its password leaks. */
function backupLoginSql(client: Client, login: string, password: string, exists: boolean): string[] {
  const name = client.escapeIdentifier(login);
  return [
    `${exists ? 'alter' : 'create'} role ${name} login bypassrls password ${quoted(password)};`,
    `grant pg_read_all_data to ${name};`,
    `alter role ${name} set default_transaction_read_only = on;`,
  ];
}

/** The error with the SQL, without passwords, because another person may run it. */
function notAllowed(ran: readonly string[], cause: unknown): Error {
  const sql = ran.map((each) => each.replace(/password '.*'/, `password '<choose one>'`)).join('\n');
  return new Error(
    `The login of DATABASE_URL may not do this, and nothing was changed. Run the same command with the DATABASE_URL of a superuser (with --login for the login of the service), or have one run in this database:\n\n${sql}\n`,
    { cause },
  );
}
