import type { Config } from '../../app/config.ts';
import { onRound, storeConfirmation } from '../../housekeeping/clock/rounds.queries.ts';
import { createCommandLogger } from '../../app/logger.ts';
import { openServiceDatabase } from './open-service-database.ts';
import { recordCommand } from '../operator.ts';

/**
 * `laurel clock confirm`: confirms that PostgreSQL's clock is right, so that suspended work continues within a minute,
 * even if the clock differs from a machine's.
 */
export async function confirmClock(config: Config): Promise<void> {
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    const now = await onRound(database.db, storeConfirmation);
    await recordCommand(database.db, { name: 'ConfirmClock', note: now.toISOString() });
    console.log(`PostgreSQL's clock says ${now.toISOString()}, and is trusted from now on.`);
    console.log(`This machine's says ${new Date().toISOString()}. Housekeeping goes on within a minute.`);
  } finally {
    await database.close();
  }
}
