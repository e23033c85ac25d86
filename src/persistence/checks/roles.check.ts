import { SERVICE_ROLES, type ServiceRole } from '../postgres/service-roles.ts';
import { type Check, fault, type Finding } from './check.ts';

type Known = {
  readonly role: ServiceRole;
  readonly login: string;
  readonly exists: boolean;
  readonly mayTake: boolean | null;
  readonly unbound: boolean | null;
  readonly seesSchema: boolean | null;
};

/** The roles of the service, and whether the login may take them. */
export const rolesCheck: Check = {
  name: 'roles',
  async run({ query }) {
    const roles = await query<Known>(
      `select wanted as role, current_user as login, r.oid is not null as exists,
              pg_has_role(current_user, r.oid, case when current_setting('server_version_num')::int >= 160000
                                                    then 'SET' else 'MEMBER' end) as "mayTake",
              r.rolsuper or r.rolbypassrls as unbound,
              has_schema_privilege(r.oid, 'public', 'usage') as "seesSchema"
         from unnest($1::text[]) as wanted left join pg_roles r on r.rolname = wanted`,
      [SERVICE_ROLES],
    );
    return {
      seen: `The roles ${SERVICE_ROLES.join(' and ')} are there, and the login ${roles[0]?.login} may take them.`,
      findings: roles.flatMap(findingsOf),
    };
  },
};

function findingsOf({ role, login, exists, mayTake, unbound, seesSchema }: Known): Finding[] {
  if (!exists) {
    return [
      fault(
        `There is no role ${role} on this server: every call would fail.`,
        'If the database is new, `npm run laurel -- migrate` makes it, where the login has CREATEROLE. Else run `npm run laurel -- roles`: roles are in no dump of a database. If it was restored before that, drop it and restore it again, because its policies and rights are lost too (docs/backup.md).',
      ),
    ];
  }
  const findings: Finding[] = [];
  if (!mayTake) {
    findings.push(
      fault(
        `The login ${login} may not take the role ${role}: every call would fail.`,
        `Run \`npm run laurel -- roles --login ${login}\` with the DATABASE_URL of a superuser or of the login that migrates.`,
      ),
    );
  }
  if (unbound) {
    findings.push(
      fault(
        `The role ${role} is bound by no row-level security, so that clients could see each other's rows.`,
        `As superuser: \`alter role ${role} nosuperuser nobypassrls\`.`,
      ),
    );
  }
  if (!seesSchema) {
    findings.push(
      fault(
        `The role ${role} may not use the schema public: every call would fail.`,
        'Run `npm run laurel -- roles` with the DATABASE_URL of the login that migrates.',
      ),
    );
  }
  return findings;
}
