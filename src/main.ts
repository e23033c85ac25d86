import { parseArgs } from 'node:util';
import { exportAudit, printAuditKey, verifyAudit } from './commands/audit-trail.ts';
import { confirmClock } from './commands/confirm-clock.ts';
import { createFirstClient } from './commands/create-first-client.ts';
import { createKey } from './commands/create-key.ts';
import { createRoles } from './commands/create-roles.ts';
import { createUser } from './commands/create-user.ts';
import { distributeDatabase } from './commands/distribute-database.ts';
import { doctor } from './commands/doctor.ts';
import { migrateDatabase } from './commands/migrate-database.ts';
import { resetSecondFactor } from './commands/reset-second-factor.ts';
import { sealSecrets } from './commands/seal-secrets.ts';
import { serve } from './commands/serve.ts';
import { upgradeCheck } from './commands/upgrade-check.ts';
import { verify } from './commands/verify.ts';
import { readConfig } from './config.ts';

const USAGE = `Usage: laurel <command>

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
       [--name N] [--role CLIENT_ADMIN|SERVICE_ADMIN]
  users reset-second-factor --client ID --email E  switch off the second factor of somebody who is locked out
  clock confirm                     say that PostgreSQL's clock is right, so that housekeeping goes on
  secrets seal                      encrypt stored secrets under the current key, so that an old one can go
  audit-export --client ID          write the client's audit log as NDJSON, chained and signed [--after POSITION]
  audit-verify FILE...              verify such files, in their order, without a database [--public-key KEY,KEY]; exits 1 if changed
  audit-key                         print the public key of the audit log's checkpoints
  verify                            recompute balances and stocks from the ledgers; exits 1 on a difference

Without DATABASE_URL the service runs a PostgreSQL of its own in .laurel/, but not with NODE_ENV=production. All settings: docs/operations.md.`;

await main(process.argv.slice(2));

async function main(argv: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
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
      },
    });
    const config = readConfig(process.env, values);
    const [first, ...files] = positionals;
    const command = first === 'audit-verify' ? first : positionals.join(' ');
    // `serve` warns in its log.
    const unknown = command === 'serve' ? [] : config.unknownSettings;
    for (const name of unknown) console.error(`${name} is no setting of this release, and does nothing.`);
    switch (command) {
      case 'serve':
        return await serve(config);
      case 'migrate':
        return await migrateDatabase(config);
      case 'distribute':
        return await distributeDatabase(config);
      case 'roles':
        return await createRoles(config, values);
      case 'doctor':
        return await doctor(config);
      case 'clients create':
        return await createFirstClient(config, values);
      case 'upgrade-check':
        return await upgradeCheck(config);
      case 'keys create':
        return await createKey(config, values);
      case 'users create':
        return await createUser(config, values);
      case 'users reset-second-factor':
        return await resetSecondFactor(config, values);
      case 'clock confirm':
        return await confirmClock(config);
      case 'secrets seal':
        return await sealSecrets(config);
      case 'audit-export':
        return await exportAudit(config, values);
      case 'audit-verify':
        return await verifyAudit(files, values['public-key']);
      case 'audit-key':
        return await printAuditKey(config);
      case 'verify':
        return await verify(config);
      default:
        console.error(USAGE);
        process.exitCode = 2;
    }
  } catch (error) {
    // An operator needs the words, not our stack; the cause carries what a library said.
    const { message, cause } = error as Error;
    console.error(cause instanceof Error ? `${message}\n  ${cause.message}` : message);
    process.exitCode = 1;
  }
}
