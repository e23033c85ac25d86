import { lockAccounts } from '../accounts/resolve-accounts.ts';
import { latestTrustedTime } from '../kernel/time/clock.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { batchedLookUp } from '../persistence/batching/batched-look-up.ts';
import { emptyBalance, isDue, type PointBalance } from './ledger.ts';
import { loadBalances, writeLedger } from './loyalty.queries.ts';
import { openLedger } from './open-ledger.ts';

/**
 * An account's balance as it is at `now`: what has expired is entered first, so that balance and history are exact at any
 * moment, whether housekeeping has run or not. Locks the account only where something is due.
 */
export async function settledBalance(uow: UnitOfWork, accountId: string, present: Date): Promise<PointBalance> {
  const now = latestTrustedTime(present);
  const balance = await storedBalance(uow, accountId);
  if (!isDue(balance, now)) return balance;
  await settleAccounts(uow, [accountId], now);
  return storedBalance(uow, accountId);
}

/** An account's balance as it was last written: what expired since is still in it. */
export async function storedBalance(uow: UnitOfWork, accountId: string): Promise<PointBalance> {
  return (await balanceOf(uow, accountId)) ?? emptyBalance(accountId);
}

const balanceOf = batchedLookUp((uow, accountIds: readonly string[]) => loadBalances(uow, accountIds));

/** Enters what has expired by `now` in these accounts. Gives how many lots that closed. */
export async function settleAccounts(uow: UnitOfWork, accountIds: readonly string[], now: Date): Promise<number> {
  await lockAccounts(uow, accountIds);
  const ledger = await openLedger(uow, accountIds, now);
  await writeLedger(uow, ledger);
  return ledger.entries.length;
}
