import { type Check, fault, abbreviated, type Finding, warning } from './check.ts';

type Found = {
  readonly database: string;
  /** Settings of a DBA for the database, the login, or both together. */
  readonly own: readonly string[];
  readonly replication: string;
  readonly commits: string;
};

/**
 * Checks the settings of the database and the login. Each connection pins the ones that statements need; a few of the others are not
 * allowed.
 */
export const settingsCheck: Check = {
  name: 'settings',
  async run({ query }) {
    const [found] = await query<Found>(
      `select current_database() as database,
              array(select distinct split_part(each, '=', 1) from pg_db_role_setting s cross join unnest(s.setconfig) as each
                     where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
                       and s.setrole in (0, (select oid from pg_roles where rolname = current_user))
                     order by 1) as own,
              current_setting('session_replication_role') as replication,
              current_setting('synchronous_commit') as commits`,
    );
    const { own } = found!;
    const seen =
      own.length === 0
        ? 'The database and the login have no settings of their own.'
        : `The database or the login sets ${abbreviated(own)}; what the service relies on it sets by itself.`;
    return { seen, findings: findingsOf(found!) };
  },
};

function findingsOf({ database, replication, commits }: Found): Finding[] {
  const findings: Finding[] = [];
  const reset = (name: string) =>
    `Reset it where it was set: \`alter database ${database} reset ${name}\`, and the same for the login and in postgresql.conf; then start again, or wait for new connections.`;
  if (replication !== 'origin') {
    findings.push(
      fault(
        `session_replication_role is ${replication}: PostgreSQL checks no foreign key and runs no trigger.`,
        reset('session_replication_role'),
      ),
    );
  }
  if (commits === 'off') {
    findings.push(
      warning(
        'synchronous_commit is off: what was answered in the last second may be lost when PostgreSQL or its machine crashes.',
        reset('synchronous_commit'),
      ),
    );
  }
  return findings;
}
