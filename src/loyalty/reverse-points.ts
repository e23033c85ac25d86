import { addAmount, type Amount, leastAmount } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { balanceOf, enter, type Ledger, type PointEntry } from './ledger.ts';
import { drawLots, writeLedger } from './loyalty.queries.ts';
import { openLedger } from './open-ledger.ts';
import { drawFrom, earnedLots, type EarnedLot } from './earned-lots.queries.ts';

/** Points of an earned reward to take back. */
export type PointsToReverse = {
  readonly accountId: string;
  /** The earned reward that paid them. */
  readonly earnedRewardId: string;
  /** The time at which it paid them. */
  readonly paidAt: Date;
  /** Above 0, at most what the reward paid and no earlier reversal took. */
  readonly amount: Amount;
  readonly at: Date;
  /** Whether points that were spent become a debt. */
  readonly mayOwe: boolean;
  /** The operation id of the reversal. */
  readonly operationId?: string | undefined;
};

/**
 * Takes points back: from the lot in which they came, then from the account's other lots in the order of expiry. Points of that lot that
 * have expired are gone already. Points that the account has spent become its debt, if it may owe them. The caller has locked the accounts.
 * @returns the points of each that were spent, in the same order
 */
export async function reversePoints(uow: UnitOfWork, reversals: readonly PointsToReverse[]): Promise<Amount[]> {
  const [first] = reversals;
  if (first === undefined) return [];
  const ledger = await openLedger(
    uow,
    reversals.map(({ accountId }) => accountId),
    first.at,
  );
  // Read after the ledger is open: lots that have expired are empty by now.
  const lots = await earnedLots(uow, reversals);
  const ownLots = new Map<string, Amount>();
  const otherLots = new Map<string, Amount>();
  const missing = reversals.map((reversal) => {
    const { accountId, earnedRewardId } = reversal;
    const lot = lots.get(earnedRewardId);
    const wanted = reversal.amount - expiredNow(ledger, reversal.amount, lot);
    const taken = leastAmount(wanted, balanceOf(ledger, accountId).available);
    const own = lot === undefined ? 0n : leastAmount(taken, lot.remaining);
    if (lot !== undefined) {
      lot.remaining -= own;
      addAmount(ownLots, lot.id, own);
    }
    addAmount(otherLots, accountId, taken - own);
    if (taken > 0n) enterReversal(ledger, reversal, taken);
    if (reversal.mayOwe) balanceOf(ledger, accountId).debt += wanted - taken;
    return wanted - taken;
  });
  await draw(uow, ownLots, otherLots);
  await writeLedger(uow, ledger);
  return missing;
}

function enterReversal(ledger: Ledger, reversal: PointsToReverse, taken: Amount): PointEntry {
  const { accountId, at, operationId, earnedRewardId } = reversal;
  const source = { sourceType: 'EARNED_REWARD', sourceId: earnedRewardId, operationId };
  return enter(ledger, { accountId, type: 'REVERSE', amount: -taken, at, ...source });
}

/** The part of an amount that has expired. Each expired point is counted for one reversal. */
function expiredNow({ entries }: Ledger, amount: Amount, lot: EarnedLot | undefined): Amount {
  if (lot === undefined) return 0n;
  // The lot may have expired in this transaction, whose entries are not written yet.
  const entered = entries.find(({ type, sourceId }) => type === 'EXPIRE' && sourceId === lot.id);
  const expired = leastAmount(amount, lot.expired + (entered === undefined ? 0n : -entered.amount) - lot.expiredUsed);
  lot.expiredUsed += expired;
  return expired;
}

/** @throws Error if the lots have less than the balances say; then the transaction must not be committed */
async function draw(
  uow: UnitOfWork,
  ownLots: ReadonlyMap<string, Amount>,
  otherLots: ReadonlyMap<string, Amount>,
): Promise<void> {
  await drawFrom(uow, ownLots);
  const drawn = await drawLots(uow, new Map([...otherLots].filter(([, amount]) => amount > 0n)));
  for (const [accountId, amount] of otherLots) {
    const sum = (drawn.get(accountId) ?? []).reduce((all, part) => all + part.amount, 0n);
    if (sum !== amount) throw new Error(`Account ${accountId} has fewer points in its lots than its balance says.`);
  }
}
