import type { Config } from '../../app/config.ts';
import { createLogger } from '../../app/logger.ts';
import { distribute } from '../../persistence/distributed/distribute.ts';
import { recordCommandAt } from '../operator.ts';

/** `laurel distribute`: distributes the tables over the nodes of a Citus cluster, and prints the changes. */
export async function distributeDatabase(config: Config): Promise<void> {
  if (!config.databaseUrl) {
    throw new Error('Set DATABASE_URL to the coordinator of a Citus cluster: docs/scale-out.md.');
  }
  const { tables, nodes } = await distribute(config.databaseUrl, createLogger(config.logLevel));
  if (tables.length > 0) {
    await recordCommandAt(config, config.databaseUrl, { name: 'Distribute', note: tables.join(', ') });
  }
  const over = nodes === 1 ? 'one node' : `${nodes} nodes`;
  console.log(
    tables.length === 0
      ? `Every table of clients is spread over ${over} already.`
      : `Spread ${tables.length} tables over ${over}.`,
  );
}
