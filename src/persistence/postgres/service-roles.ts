/**
 * The roles that units of work run under: `laurel_app` sees one client's rows, `laurel_system` all. They cannot log in. They belong to the
 * server and not to a database, so no dump contains them.
 */
export const SERVICE_ROLES = ['laurel_app', 'laurel_system'] as const;

export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** A privilege of a role on a table. */
export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

export const RIGHTS: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

const WRITE: readonly Right[] = ['INSERT', 'UPDATE', 'DELETE'];

/** The privileges that migrations revoke; on every other table both roles have all rights. Each revoking migration needs a line here. */
const WITHHELD: Readonly<Record<string, Partial<Record<ServiceRole, readonly Right[]>>>> = {
  migration: { laurel_app: RIGHTS, laurel_system: RIGHTS },
  whole_dump: { laurel_app: RIGHTS, laurel_system: WRITE },
  client: { laurel_app: ['INSERT', 'DELETE'] },
  point_entry: { laurel_app: ['UPDATE', 'DELETE'] },
  audit_entry: { laurel_app: ['UPDATE', 'DELETE'] },
  audit_seal: { laurel_app: WRITE, laurel_system: ['UPDATE'] },
  audit_checkpoint: { laurel_app: WRITE, laurel_system: ['UPDATE', 'DELETE'] },
  account_search: { laurel_app: WRITE },
  journal_search: { laurel_app: WRITE },
};

/** Functions that run with the rights of the tables' owner; `laurel_system` alone may call them. */
export const OWNERS_FUNCTIONS = [
  'public.keep_journal_partitions(int, int)',
  'public.tidy_journal_search(int)',
] as const;

/** The privileges of `role` on a table or view of the service. */
export function rightsOf(role: ServiceRole, table: string): readonly Right[] {
  const withheld = WITHHELD[table]?.[role] ?? [];
  return RIGHTS.filter((right) => !withheld.includes(right));
}

/**
 * SQL that creates a role if it is missing, and lets the current login take it. It may be repeated, and run by several logins and databases
 * of one server at once.
 */
export function createRole(role: ServiceRole): string {
  return `do $$
declare
  ${MODERN}
begin
  if not exists (select from pg_roles where rolname = '${role}') then
    begin
      create role ${role} nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  ${grantUnlessMember(role, 'current_user')}
end
$$;`;
}

/**
 * SQL that lets another login take a role, which must exist.
 * @param login the name in `pg_roles`; {@link quoted} escapes other characters than letters and digits
 */
export function grantRoleSql(role: ServiceRole, login: string): string {
  return `do $$
declare
  ${MODERN}
begin
  ${grantUnlessMember(role, quoted(login))}
end
$$;`;
}

/** SQL that lets both roles see the schema and gives them the rights on tables that the same login will create in it. */
export function schemaRights(role: ServiceRole): string[] {
  return [
    `grant usage on schema public to ${role};`,
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${role};`,
  ];
}

/** A text as an SQL literal. */
export function quoted(text: string): string {
  if (/[\0\\$]/.test(text)) throw new Error(`'${text}' cannot be the name of a login here: leave out \\, $ and NUL.`);
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Since PostgreSQL 16 a login may become a role without having its rights all the time. Before, a login that forgets to
 * take a role sees what laurel_system sees, unless it is NOINHERIT.
 */
const MODERN = `modern boolean := current_setting('server_version_num')::int >= 160000;`;

function grantUnlessMember(role: ServiceRole, login: string): string {
  return `if not pg_has_role(${login}, '${role}', case when modern then 'SET' else 'MEMBER' end) then
    execute format('grant ${role} to %I', ${login}) || case when modern then ' with inherit false' else '' end;
  end if;`;
}
