import { SERVICE_ROLES, type ServiceRole } from '../postgres/service-roles.ts';
import { type Check, fault, abbreviated, type Finding, RESTORE_AGAIN } from './check.ts';

type Policy = { readonly name: string; readonly roles: readonly string[]; readonly expressions: readonly string[] };

type Table = {
  readonly name: string;
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly policies: readonly Policy[];
};

/** The isolation of clients: row-level security on every table with rows of clients, for both roles. */
export const rowSecurityCheck: Check = {
  name: 'row security',
  after: ['migrations'],
  async run({ query }) {
    const tables = await query<Table>(
      `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
              coalesce((select json_agg(json_build_object(
                 'name', p.polname,
                 'roles', (select json_agg(case member when 0 then 'public' else pg_get_userbyid(member)::text end)
                             from unnest(p.polroles) as member),
                 'expressions', array_remove(array[pg_get_expr(p.polqual, p.polrelid),
                                                    pg_get_expr(p.polwithcheck, p.polrelid)], null)))
                from pg_policy p where p.polrelid = c.oid and p.polpermissive), '[]') as policies
         from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and (c.relname = 'client' or exists (select from pg_attribute a
                where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped))
        order by c.relname`,
    );
    const bound = tables.length;
    return {
      seen: `Row-level security keeps the clients apart on ${bound} tables, and binds their owner as well.`,
      findings: [
        ...switchedOff(tables),
        ...SERVICE_ROLES.flatMap((role) => withoutPolicy(tables, role)),
        ...open(tables),
      ],
    };
  },
};

function switchedOff(tables: readonly Table[]): Finding[] {
  const off = tables.filter(({ enabled }) => !enabled).map(({ name }) => name);
  const unforced = tables.filter(({ enabled, forced }) => enabled && !forced).map(({ name }) => name);
  const findings: Finding[] = [];
  if (off.length > 0) {
    findings.push(
      fault(
        `Row-level security is off on ${abbreviated(off)}: clients could see each other's rows.`,
        'As the owner of each: `alter table <name> enable row level security; alter table <name> force row level security`.',
      ),
    );
  }
  if (unforced.length > 0) {
    findings.push(
      fault(
        `Row-level security does not bind the owner of ${abbreviated(unforced)}.`,
        'As the owner of each: `alter table <name> force row level security`.',
      ),
    );
  }
  return findings;
}

function withoutPolicy(tables: readonly Table[], role: ServiceRole): Finding[] {
  const without = tables
    .filter(({ policies }) => !policies.some(({ roles }) => roles.includes(role)))
    .map(({ name }) => name);
  if (without.length === 0) return [];
  const words = without.length === 1 ? `The table ${without[0]} has` : `The tables ${abbreviated(without)} have`;
  return [fault(`${words} no policy for ${role}, which so finds no row there.`, RESTORE_AGAIN)];
}

/** Tables with a policy for `laurel_app` without a client, which shows the rows of all clients. */
function open(tables: readonly Table[]): Finding[] {
  return tables.flatMap(({ name: table, policies }) =>
    policies
      .filter(({ roles }) => roles.includes('laurel_app') || roles.includes('public'))
      .filter(({ expressions }) => !expressions.every((each) => each.includes('laurel.client_id')))
      .map(({ name }) =>
        fault(
          `The policy ${name} of ${table} for laurel_app does not name the client: clients could see each other's rows.`,
          `Drop it if somebody has added it (\`drop policy ${name} on ${table}\`). If it was Laurel's own, restore the database again.`,
        ),
      ),
  );
}
