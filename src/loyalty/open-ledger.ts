import { latestTrustedTime } from '../kernel/time/clock.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { enter, isDue, type Ledger } from './ledger.ts';
import { closeDueLots, loadBalances, nextExpirations } from './loyalty.queries.ts';

/**
 * The ledger of accounts that the caller has locked. Points that have expired by `now` are entered as expired, so that no movement uses
 * them. The caller writes it with `writeLedger`.
 */
export async function openLedger(uow: UnitOfWork, accountIds: Iterable<string>, now: Date): Promise<Ledger> {
  const balances = await loadBalances(uow, [...new Set(accountIds)], 'toChange');
  const ledger: Ledger = { balances, entries: [], lots: [], drawn: new Map() };
  await settle(uow, ledger, latestTrustedTime(now));
  return ledger;
}

async function settle(uow: UnitOfWork, ledger: Ledger, now: Date): Promise<void> {
  const due = [...ledger.balances.values()].filter((balance) => isDue(balance, now));
  if (due.length === 0) return;
  const accountIds = due.map((balance) => balance.accountId);
  for (const lot of await closeDueLots(uow, accountIds, now)) {
    enter(ledger, {
      accountId: lot.accountId,
      type: 'EXPIRE',
      amount: -lot.remaining,
      at: lot.expiresAt,
      sourceType: 'POINT_LOT',
      sourceId: lot.id,
    });
  }
  const next = await nextExpirations(uow, accountIds);
  for (const balance of due) balance.nextExpiresAt = next.get(balance.accountId)?.at;
}
