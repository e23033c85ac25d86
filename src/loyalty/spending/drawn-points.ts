import type { Amount } from '../../kernel/amount.ts';
import type { Ledger, LotPart, PointEntry } from '../ledger.ts';

/**
 * Records the drawn points of each spending, in the order of the entries, so that a cancelled purchase returns them with their remaining
 * time. A spending without expiring points is not recorded.
 * @param drawn the drawn points by account, in the order of their expiry
 * @throws Error if less was drawn than entered: lots and balance of an account differ, and the transaction must not be committed
 */
export function noteDrawn(
  ledger: Ledger,
  entries: readonly PointEntry[],
  drawn: ReadonlyMap<string, readonly LotPart[]>,
): void {
  const open = new Map([...drawn].map(([accountId, parts]) => [accountId, [...parts]]));
  for (const { id, accountId, type, amount } of entries) {
    if (amount >= 0n) continue;
    const parts = takeParts(open.get(accountId) ?? [], -amount);
    if (parts === undefined)
      throw new Error(`Account ${accountId} has fewer points in its lots than its balance says.`);
    if (type === 'SPEND' && parts.some(({ expiresAt }) => expiresAt)) ledger.drawn.set(id, parts);
  }
}

/** Takes an amount from the front of `open`, which keeps the rest; undefined if it has too little. */
function takeParts(open: LotPart[], amount: Amount): LotPart[] | undefined {
  const taken: LotPart[] = [];
  let missing = amount;
  while (missing > 0n) {
    const first = open.shift();
    if (first === undefined) return undefined;
    const part = first.amount < missing ? first.amount : missing;
    taken.push({ ...first, amount: part });
    if (part < first.amount) open.unshift({ ...first, amount: first.amount - part });
    missing -= part;
  }
  return taken;
}
