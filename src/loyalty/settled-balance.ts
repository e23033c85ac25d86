import { lockAccounts } from '../accounts/resolving/resolve-accounts.ts';
import { latestTrustedTime } from '../kernel/time/clock.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { batchedLookUp } from '../persistence/batching/batched-look-up.ts';
import { emptyBalance, isDue, type PointBalance } from './ledger.ts';
import { loadBalances, writeLedger } from './loyalty.queries.ts';
import { openLedger } from './open-ledger.ts';

/**
 * An account's balance at the present time. Expired points are entered first, so that balance and history are exact even before
 * housekeeping runs. The account is locked only if points have expired.
 */
export async function settledBalance(uow: UnitOfWork, accountId: string, present: Date): Promise<PointBalance> {
  const now = latestTrustedTime(present);
  const balance = await storedBalance(uow, accountId);
  if (!isDue(balance, now)) return balance;
  await settleAccounts(uow, [accountId], now);
  return storedBalance(uow, accountId);
}

/** An account's stored balance, which may still include points expired since. */
export async function storedBalance(uow: UnitOfWork, accountId: string): Promise<PointBalance> {
  return (await balanceOf(uow, accountId)) ?? emptyBalance(accountId);
}

const balanceOf = batchedLookUp((uow, accountIds: readonly string[]) => loadBalances(uow, accountIds));

/** Enters the points of these accounts that have expired by `now`. Returns the number of closed lots. */
export async function settleAccounts(uow: UnitOfWork, accountIds: readonly string[], now: Date): Promise<number> {
  await lockAccounts(uow, accountIds);
  const ledger = await openLedger(uow, accountIds, now);
  await writeLedger(uow, ledger);
  return ledger.entries.length;
}
