import { databaseCommand } from '../command.ts';

const CLIENT = { type: 'string', value: 'ID', required: true, help: 'the UUID of the client' } as const;
const EMAIL = { type: 'string', value: 'E', required: true, help: 'the e-mail address of the user' } as const;

/**
 * The commands on the database. Each module is imported when its command runs: importing all takes a second of processor time, the smallest
 * a tenth of that.
 */
export const databaseCommands = [
  databaseCommand({
    name: 'serve',
    summary: 'Run the service (npm start).',
    options: {
      demo: { type: 'boolean', help: 'provision a demo on an empty database' },
      migrate: { type: 'boolean', help: 'run pending migrations first' },
      processes: { type: 'string', value: 'N', help: 'the number of processes that share the port' },
    },
    example: 'laurel serve --migrate',
    run: async (config) => (await import('../serve.ts')).serve(config),
  }),
  databaseCommand({
    name: 'migrate',
    summary: "Bring the database's schema up to date.",
    example: 'laurel migrate',
    run: async (config) => (await import('./migrate-database.ts')).migrateDatabase(config),
  }),
  databaseCommand({
    name: 'distribute',
    summary: 'Spread a migrated database over the nodes of a Citus; again after each migration.',
    example: 'laurel distribute',
    run: async (config) => (await import('./distribute-database.ts')).distributeDatabase(config),
  }),
  databaseCommand({
    name: 'roles',
    summary: 'Create the database roles, on a new server before a restore, and fix their rights.',
    options: {
      login: { type: 'string', value: 'A,B', help: 'other logins that are to serve' },
      'backup-login': { type: 'string', value: 'N', help: 'a login for dumps, whose password is printed once' },
    },
    example: 'laurel roles',
    run: async (config, { options }) => (await import('./create-roles.ts')).createRoles(config, options),
  }),
  databaseCommand({
    name: 'doctor',
    summary: 'Say what is wrong with the set-up and what to do; exits 1 if the service would not start.',
    example: 'laurel doctor',
    run: async (config) => (await import('./doctor.ts')).doctor(config),
  }),
  databaseCommand({
    name: 'clients create',
    summary: 'Create a client and print its id.',
    options: {
      name: { type: 'string', value: 'N', required: true, help: 'the name of the client' },
      'time-zone': { type: 'string', value: 'ZONE', help: 'for example Europe/Madrid; UTC by default' },
    },
    example: "laurel clients create --name 'My game' --time-zone Europe/Madrid",
    run: async (config, { options }) => (await import('../create-first-client.ts')).createFirstClient(config, options),
  }),
  databaseCommand({
    name: 'upgrade-check',
    summary: 'Say whether older hosts may serve the database beside this release; exits 3 if they have to stop first.',
    example: 'laurel upgrade-check',
    run: async (config) => (await import('./upgrade-check.ts')).upgradeCheck(config),
  }),
  databaseCommand({
    name: 'keys create',
    summary: 'Create an API key and print it once.',
    options: {
      client: CLIENT,
      name: { type: 'string', value: 'N', required: true, help: 'the name of the key' },
      kind: { type: 'string', choices: ['API_KEY', 'ACCESS_TOKEN'], help: 'API_KEY by default' },
      role: {
        type: 'string',
        choices: ['CLIENT_ADMIN', 'SERVICE_ADMIN'],
        help: 'the role of an access token; CLIENT_ADMIN by default',
      },
    },
    example: 'laurel keys create --client "$CLIENT" --name \'Shop backend\'',
    run: async (config, { options }) => (await import('../create-key.ts')).createKey(config, options),
  }),
  databaseCommand({
    name: 'users create',
    summary: 'Create a console user and print the first password once.',
    options: {
      client: CLIENT,
      email: EMAIL,
      name: { type: 'string', value: 'N', help: 'the name of the user' },
      role: {
        type: 'string',
        choices: ['VIEWER', 'SUPPORT', 'MARKETER', 'CLIENT_ADMIN', 'SERVICE_ADMIN'],
        help: 'CLIENT_ADMIN by default',
      },
    },
    example: 'laurel users create --client "$CLIENT" --email ana@example.com --role VIEWER',
    run: async (config, { options }) => (await import('../create-user.ts')).createUser(config, options),
  }),
  databaseCommand({
    name: 'users reset-second-factor',
    summary: 'Switch off the second factor of somebody who is locked out.',
    options: { client: CLIENT, email: EMAIL },
    example: 'laurel users reset-second-factor --client "$CLIENT" --email ana@example.com',
    run: async (config, { options }) => (await import('../reset-second-factor.ts')).resetSecondFactor(config, options),
  }),
  databaseCommand({
    name: 'clock confirm',
    summary: "Say that PostgreSQL's clock is right, so that housekeeping goes on.",
    example: 'laurel clock confirm',
    run: async (config) => (await import('./confirm-clock.ts')).confirmClock(config),
  }),
  databaseCommand({
    name: 'secrets seal',
    summary: 'Encrypt stored secrets under the current key, so that an old one can go.',
    example: 'laurel secrets seal',
    run: async (config) => (await import('../seal-secrets.ts')).sealSecrets(config),
  }),
  databaseCommand({
    name: 'audit-export',
    summary: "Write the client's audit log as NDJSON, chained and signed.",
    options: {
      client: CLIENT,
      after: { type: 'string', value: 'POSITION', help: 'the position after which it begins; 0 by default' },
    },
    example: 'laurel audit-export --client "$CLIENT"',
    run: async (config, { options }) => (await import('../export-audit.ts')).exportAudit(config, options),
  }),
  databaseCommand({
    name: 'audit-verify',
    summary: 'Verify such files, in their order, without a database; exits 1 if changed.',
    args: [{ name: 'FILE', many: true, help: 'exports that follow each other' }],
    options: {
      'public-key': { type: 'string', value: 'KEY,KEY', help: 'the trusted keys; by default those in the file' },
    },
    example: 'laurel audit-verify audit.ndjson',
    run: async (_config, { options, args }) =>
      (await import('../verify-audit.ts')).verifyAudit(args, options['public-key']),
  }),
  databaseCommand({
    name: 'audit-key',
    summary: "Print the public key of the audit log's checkpoints.",
    example: 'laurel audit-key',
    run: async (config) => (await import('../verify-audit.ts')).printAuditKey(config),
  }),
  databaseCommand({
    name: 'verify',
    summary: 'Recompute balances, stocks, statistics, levels and streaks; exits 1 on a difference.',
    example: 'laurel verify',
    run: async (config) => (await import('../verify.ts')).verify(config),
  }),
];
