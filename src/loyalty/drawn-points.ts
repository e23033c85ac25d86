import type { Amount } from '../kernel/amount.ts';
import type { Ledger, LotPart, PointEntry } from './ledger.ts';

/**
 * Notes which of the points that were drawn each spending took, in the order of the entries: a purchase that is taken back
 * gives them back with the time that they had. Where none of them expires there is nothing to note.
 * @param drawn by account, what expires first before the rest
 * @throws Error if less was drawn than entered: lots and balance of an account differ, and nothing may be committed
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

/** Takes an amount from the front of `open`, which keeps the rest; undefined if it does not suffice. */
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
