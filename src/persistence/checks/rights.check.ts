import {
  OWNERS_FUNCTIONS,
  type Right,
  RIGHTS,
  rightsOf,
  SERVICE_ROLES,
  type ServiceRole,
} from '../postgres/service-roles.ts';
import { type Check, fault, abbreviated, type Finding, type Inspection, RESTORE_AGAIN, warning } from './check.ts';
import { declaredTables } from './declared-schema.ts';
import { SEARCH_VIEWS } from './search.check.ts';

type Held = { readonly table: string; readonly role: ServiceRole; readonly rights: readonly Right[] };

/** The words for each right, before the name of a table. */
const WORDS: Readonly<Record<Right, string>> = {
  SELECT: 'SELECT from',
  INSERT: 'INSERT into',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE from',
};

/** The privileges of the roles on each table. */
export const rightsCheck: Check = {
  name: 'rights',
  // A missing role or table has no rights.
  after: ['roles', 'migrations'],
  async run({ query }) {
    const held = await query<Held>(
      `select c.relname as table, r.rolname as role,
              array(select wanted from unnest($1::text[]) as wanted where has_table_privilege(r.oid, c.oid, wanted)) as rights
         from pg_class c cross join pg_roles r
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and r.rolname = any($2::text[])
        order by c.relname`,
      [RIGHTS, SERVICE_ROLES],
    );
    const tables = new Set([...(await declaredTables()).map(({ name }) => name), ...SEARCH_VIEWS, 'whole_dump']);
    const own = held.filter(({ table }) => tables.has(table));
    const findings = SERVICE_ROLES.flatMap((role) => RIGHTS.flatMap((right) => lacking(own, role, right)));
    findings.push(...(await withoutFunctions(query)));
    return { seen: 'Both roles have their rights on every table.', findings };
  },
};

/** Checks the functions that delete old entries of the journal. Events work without them, so it is no fault. */
async function withoutFunctions(query: Inspection['query']): Promise<Finding[]> {
  const functions = await query<{ name: string; exists: boolean; mayCall: boolean | null }>(
    `select wanted as name, to_regprocedure(wanted) is not null as exists,
            has_function_privilege('laurel_system', to_regprocedure(wanted), 'execute') as "mayCall"
       from unnest($1::text[]) as wanted`,
    [OWNERS_FUNCTIONS],
  );
  return functions.flatMap(({ name, exists, mayCall }) => {
    if (!exists) return [warning(`The function ${name} is missing: the journal is never cleared.`, RESTORE_AGAIN)];
    if (mayCall) return [];
    const remedy = `Run \`npm run laurel -- roles\` with the DATABASE_URL of the login that migrates: it grants what is missing.`;
    return [warning(`The role laurel_system may not call ${name}: the journal is never cleared.`, remedy)];
  });
}

function lacking(held: readonly Held[], role: ServiceRole, right: Right): Finding[] {
  const tables = held
    .filter((each) => each.role === role && rightsOf(role, each.table).includes(right) && !each.rights.includes(right))
    .map(({ table }) => table);
  if (tables.length === 0) return [];
  return [
    fault(
      `The role ${role} may not ${WORDS[right]} ${abbreviated(tables)}: calls would fail.`,
      'Run `npm run laurel -- roles` with the DATABASE_URL of the login that migrates, or of a superuser: it grants what is missing.',
    ),
  ];
}
