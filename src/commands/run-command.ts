import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../app/config.ts';

/** The text that a wrong command line prints; docs/commands.md shows it. */
export const USAGE = `Usage: laurel <command>

  serve [--demo] [--migrate]        run the service (npm start); --processes N uses more cores
  migrate                           bring the database's schema up to date
  distribute                        spread a migrated database over the nodes of a Citus; again after each migration
  roles                             create the database roles, on a new server before a restore, and fix their rights
       [--login A,B]                for other logins that are to serve
       [--backup-login N]           and a login for dumps, whose password it prints once
  doctor                            say what is wrong with the set-up and what to do; exits 1 if the service would not start
  clients create --name N           create a client and print its id [--time-zone Europe/Madrid]
  upgrade-check                     say whether older hosts may serve the database beside this release; exits 3 if they
                                    have to stop first
  keys create --client ID --name N  create an API key and print it once
       [--kind API_KEY|ACCESS_TOKEN] [--role CLIENT_ADMIN|SERVICE_ADMIN]
  users create --client ID --email E  create a console user and print the first password once
       [--name N] [--role VIEWER|SUPPORT|MARKETER|CLIENT_ADMIN|SERVICE_ADMIN]
  users reset-second-factor --client ID --email E  switch off the second factor of somebody who is locked out
  clock confirm                     say that PostgreSQL's clock is right, so that housekeeping goes on
  secrets seal                      encrypt stored secrets under the current key, so that an old one can go
  audit-export --client ID          write the client's audit log as NDJSON, chained and signed [--after POSITION]
  audit-verify FILE...              verify such files, in their order, without a database [--public-key KEY,KEY]; exits 1 if changed
  audit-key                         print the public key of the audit log's checkpoints
  verify                            recompute balances and stocks from the ledgers; exits 1 on a difference

Without DATABASE_URL the service runs a PostgreSQL of its own in .laurel/, but not with NODE_ENV=production. All settings: docs/operations.md.`;

const OPTIONS = {
  demo: { type: 'boolean' },
  migrate: { type: 'boolean' },
  processes: { type: 'string' },
  client: { type: 'string' },
  'time-zone': { type: 'string' },
  name: { type: 'string' },
  kind: { type: 'string' },
  role: { type: 'string' },
  email: { type: 'string' },
  login: { type: 'string' },
  'backup-login': { type: 'string' },
  after: { type: 'string' },
  'public-key': { type: 'string' },
} as const;

/** The arguments after the command's name. */
type Typed = {
  readonly options: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
  readonly files: readonly string[];
};

/** Each command is imported when it runs: importing all takes a second of processor time, the smallest a tenth of that. */
const COMMANDS: Readonly<Record<string, (config: Config, typed: Typed) => Promise<void>>> = {
  serve: async (config) => (await import('./serve.ts')).serve(config),
  migrate: async (config) => (await import('./migrate-database.ts')).migrateDatabase(config),
  distribute: async (config) => (await import('./distribute-database.ts')).distributeDatabase(config),
  roles: async (config, { options }) => (await import('./create-roles.ts')).createRoles(config, options),
  doctor: async (config) => (await import('./doctor.ts')).doctor(config),
  'clients create': async (config, { options }) =>
    (await import('./create-first-client.ts')).createFirstClient(config, options),
  'upgrade-check': async (config) => (await import('./upgrade-check.ts')).upgradeCheck(config),
  'keys create': async (config, { options }) => (await import('./create-key.ts')).createKey(config, options),
  'users create': async (config, { options }) => (await import('./create-user.ts')).createUser(config, options),
  'users reset-second-factor': async (config, { options }) =>
    (await import('./reset-second-factor.ts')).resetSecondFactor(config, options),
  'clock confirm': async (config) => (await import('./confirm-clock.ts')).confirmClock(config),
  'secrets seal': async (config) => (await import('./seal-secrets.ts')).sealSecrets(config),
  'audit-export': async (config, { options }) => (await import('./audit-trail.ts')).exportAudit(config, options),
  'audit-verify': async (_config, { options, files }) =>
    (await import('./audit-trail.ts')).verifyAudit(files, options['public-key']),
  'audit-key': async (config) => (await import('./audit-trail.ts')).printAuditKey(config),
  verify: async (config) => (await import('./verify.ts')).verify(config),
};

/** The names of the commands, without options. */
export const commandNames: readonly string[] = Object.keys(COMMANDS);

/**
 * Runs the command of a command line, `argv` without the program. An error is printed as a message, with exit status 1.
 */
export async function runCommand(argv: readonly string[]): Promise<void> {
  try {
    const { values: options, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS });
    const config = readConfig(process.env, options);
    const [first = '', ...files] = positionals;
    const name = first === 'audit-verify' ? first : positionals.join(' ');
    // The command `serve` warns in its log.
    const unknown = name === 'serve' ? [] : config.unknownSettings;
    for (const setting of unknown) console.error(`${setting} is no setting of this release, and does nothing.`);
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command !== undefined) return await command(config, { options, files });
    console.error(USAGE);
    process.exitCode = 2;
  } catch (error) {
    // An operator needs the message, not our stack trace; the cause has the library's message.
    const { message, cause } = error as Error;
    console.error(cause instanceof Error ? `${message}\n  ${cause.message}` : message);
    process.exitCode = 1;
  }
}
