import type { Config } from '../app/config.ts';
import { clientIds } from '../clients/client-ids.ts';
import type { Difference } from '../kernel/difference.ts';
import { DAY } from '../kernel/time/timestamp.ts';
import { createCommandLogger } from '../app/logger.ts';
import { verifyLevels } from '../levels/verify-levels.ts';
import { verifyPoints } from '../loyalty/verify-points.ts';
import { verifyMarketplace } from '../marketplace/verify-marketplace.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { verifyCountedPoints } from '../rewards/reversal/verify-counted-points.ts';
import { verifyDebts } from '../rewards/reversal/verify-debts.ts';
import { verifyStock } from '../rewards/products/stock/verify-stock.ts';
import { verifyFreezes } from '../campaigns/freezes/verify-freezes.ts';
import { verifyStreaks } from '../campaigns/streaks/verify-streaks.ts';
import { verifyPaidLevels } from '../journal/verify-levels.ts';
import { verifySummedStatistics } from '../journal/verify-statistics.ts';
import { verifyLeaderboards } from '../leaderboards/verify-leaderboards.ts';
import { verifyStatistics } from '../statistics/verify-statistics.ts';
import { openServiceDatabase } from './database/open-service-database.ts';

/** The recomputations of every module with balances, for one client. */
const checks: ReadonlyArray<(uow: UnitOfWork, now: Date) => Promise<Difference[]>> = [
  verifyPoints,
  verifyStock,
  verifyDebts,
  verifyMarketplace,
  verifyStatistics,
  verifyCountedPoints,
  verifyLeaderboards,
  verifySummedStatistics,
  verifyLevels,
  verifyPaidLevels,
  verifyFreezes,
  verifyStreaks,
];

/** `laurel verify`: recomputes all derived values, prints every difference, and exits 1 if there is one. Large tables take minutes. */
export async function verify(config: Config): Promise<void> {
  const database = await openServiceDatabase(config, createCommandLogger(), { statementTimeoutMs: DAY });
  try {
    const clients = await database.db.systemUnitOfWork(clientIds);
    const differences = await findDifferences(database.db);
    for (const { clientId, subject, id, stored, recomputed } of differences) {
      console.log(`client ${clientId}: ${subject} of ${id} is ${stored}, recomputed ${recomputed}`);
    }
    // The number of clients is printed, because a database without clients has no differences either.
    console.log(
      `${differences.length === 0 ? 'No difference' : `${differences.length} difference(s)`} in ${clients.length} client(s).`,
    );
    if (differences.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

/** Every difference in the database, client by client, each in its own snapshot. */
export async function findDifferences(db: Database): Promise<Array<Difference & { readonly clientId: string }>> {
  const differences: Array<Difference & { readonly clientId: string }> = [];
  for (const clientId of await db.systemUnitOfWork(clientIds)) {
    const found = await differencesOf(db, clientId);
    differences.push(...found.map((difference) => ({ ...difference, clientId })));
  }
  return differences;
}

/** Every difference of one client. */
export async function differencesOf(db: Database, clientId: string): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const check of checks) differences.push(...(await db.unitOfWork(clientId, (uow) => check(uow, new Date()))));
  return differences;
}
