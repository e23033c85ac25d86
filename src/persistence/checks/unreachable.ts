import { sqlStateOf } from '../connections/failures.ts';
import { fault, type Seen } from './check.ts';

/** The reason for a missing connection, without the password in the URL. */
export function unreachable(url: string, error: unknown): Seen {
  const { host, login, database } = namesIn(url);
  const words = wordsOf(error);
  const state = sqlStateOf(error);
  return { seen: '', findings: [found()] };

  function found() {
    if (state === POOLERS) return refusedByPooler();
    switch (state) {
      case '28P01':
      case '28000':
        return fault(
          `The server at ${host} does not let the login ${login} in: ${words}.`,
          'Compare login and password in DATABASE_URL with the server. Logins are in no dump of a database: on a new server, create the login first (docs/backup.md).',
        );
      case '3D000':
        return fault(
          `There is no database ${database} on the server at ${host}.`,
          'Correct the name in DATABASE_URL, or create the database and restore your backup into it (docs/backup.md).',
        );
      case '57P03':
        return fault(
          `The server at ${host} starts up or recovers: ${words}.`,
          'Wait until it has finished; its log tells how far it is.',
        );
      case '53300':
        return fault(
          `The server at ${host} has no connection left: ${words}.`,
          'Raise max_connections, or lower LAUREL_POOL_MAX so that the sum over all processes stays below it.',
        );
      default:
        return fault(
          `The database at ${host} cannot be reached: ${words}.`,
          'Start PostgreSQL, or correct host and port in DATABASE_URL; a firewall may be in the way, too.',
        );
    }
  }

  function refusedByPooler() {
    if (/no such database/.test(words)) {
      return fault(
        `The pooler at ${host} knows no database ${database}.`,
        'Add it to [databases] of PgBouncer, or correct the name in DATABASE_URL.',
      );
    }
    if (
      /authentication failed|no such user|login failed|role ".*" does not exist|password|SASL|cannot authenticate/i.test(
        words,
      )
    ) {
      return fault(
        `The pooler at ${host} does not let the login ${login} in: ${words}.`,
        "Give PgBouncer the login and its present password: in auth_file, or by auth_query; after a change, `reload` on its console. auth_type has to suit: with scram-sha-256 the file holds the password, or the very text of pg_authid. If its log says that the server refused, it is PgBouncer's own way to PostgreSQL that has another password.",
      );
    }
    if (/unsupported startup parameter/.test(words)) {
      return fault(
        `The pooler at ${host} refuses an option of DATABASE_URL: ${words}.`,
        'Leave it out, or name it in ignore_startup_parameters of PgBouncer. The service needs none.',
      );
    }
    return fault(
      `The pooler at ${host} gives no connection: ${words}.`,
      'Its log says why. Often it does not reach PostgreSQL, or all of its connections are in use: default_pool_size, max_client_conn.',
    );
  }
}

/** A protocol violation: PgBouncer uses this code for every refusal, at least until 1.19. PostgreSQL rarely uses it. */
const POOLERS = '08P01';

/** An address refused at each of several IPs is an AggregateError, whose own message is empty. */
function wordsOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  return message || errors?.map((each) => each.message).join(', ') || code || 'no reason was given';
}

function namesIn(url: string): { host: string; login: string; database: string } {
  const parsed = URL.parse(url);
  if (!parsed) return { host: 'an address that is no URL', login: '', database: '' };
  const { host, username, pathname } = parsed;
  return { host: host || 'this machine', login: decodeURIComponent(username), database: pathname.slice(1) };
}
