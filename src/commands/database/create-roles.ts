import type { Config } from '../../app/config.ts';
import { repairRoles } from '../../persistence/postgres/repair-roles.ts';
import { locateDatabase } from './open-service-database.ts';
import { recordCommandAt } from '../operator.ts';

/** The options of roles on the command line. */
export type RoleOptions = {
  readonly login?: string | undefined;
  readonly 'backup-login'?: string | undefined;
};

/**
 * `laurel roles`: creates the roles, which a dump of the database does not contain, on a new server before a restore. It also adds missing
 * grants. It may be repeated.
 */
export async function createRoles(config: Config, options: RoleOptions): Promise<void> {
  const located = await locateDatabase(config);
  try {
    const logins = options.login === undefined ? [] : options.login.split(',').filter((name) => name !== '');
    const { done, backupPassword } = await repairRoles(located.url, { logins, backupLogin: options['backup-login'] });
    if (done.length > 0) await recordCommandAt(config, located.url, { name: 'RepairRoles' });
    console.log(done.length === 0 ? 'All of it is there already.' : done.join('\n'));
    if (backupPassword !== undefined) console.log(`Its password, told this once: ${backupPassword}`);
  } finally {
    await located.close();
  }
}
