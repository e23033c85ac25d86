import { type Check, fault, type Finding, warning } from './check.ts';

/** The oldest supported release; `npm run test:oldest` runs the tests on it. */
export const OLDEST_MAJOR = 15;

type Server = {
  readonly version: string;
  readonly number: number;
  readonly database: string;
  readonly login: string;
  readonly recovers: boolean;
  readonly readOnly: boolean;
};

/** The version of the server, and whether it accepts writes. */
export const serverCheck: Check = {
  name: 'server',
  async run({ query }) {
    const [server] = await query<Server>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
              current_database() as database, current_user as login, pg_is_in_recovery() as recovers,
              current_setting('default_transaction_read_only') = 'on' as "readOnly"`,
    );
    const { version, database, login } = server!;
    const seen = `PostgreSQL ${version}, database ${database}, login ${login}; it takes writes.`;
    return { seen, findings: findingsOf(server!) };
  },
};

function findingsOf({ recovers, readOnly, number, version, database }: Server): Finding[] {
  const findings: Finding[] = [];
  if (recovers) {
    findings.push(
      fault(
        'The server takes no writes: it is a replica, or has not finished its recovery.',
        'Point DATABASE_URL at the primary. After a point-in-time recovery, promote the server: `select pg_promote()`.',
      ),
    );
  } else if (readOnly) {
    findings.push(
      fault(
        `The database ${database} takes no writes: default_transaction_read_only is on.`,
        `Turn it off where it was set: \`alter database ${database} reset default_transaction_read_only\`, and the same for the login and in postgresql.conf. Or point DATABASE_URL at the primary.`,
      ),
    );
  }
  if (number < OLDEST_MAJOR * 10_000) {
    findings.push(
      warning(
        `PostgreSQL ${version} is older than what Laurel is tested on.`,
        `Upgrade it to ${OLDEST_MAJOR} or later.`,
      ),
    );
  }
  return findings;
}
