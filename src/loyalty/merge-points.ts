import type { JsonValue } from '@bufbuild/protobuf';
import { amountFromDecimal, amountToDecimal, amountToNumber, SUM_MAX } from '../kernel/amount.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { timestampClock } from '../kernel/time/clock.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { MergedPair } from '../persistence/subjects/account-part.ts';
import { balanceOf, enter, type Ledger, type PointBalance } from './ledger.ts';
import { writeLedger } from './loyalty.queries.ts';
import { openLedger } from './open-ledger.ts';

/** The sums that a merge adds to those of the account that stays. */
const SUMS = ['spent', 'expired', 'lifetimeEarned', 'debt'] as const;

type Kept = Readonly<Record<'available' | (typeof SUMS)[number], string>>;

/**
 * Adds the balance of one account to that of another, with a line MERGE in both. The lots are moved separately.
 * @returns what {@link separatePoints} takes back
 * @throws DomainError `BAD_REQUEST` if both together have more points than a balance holds
 */
export async function mergePoints(uow: UnitOfWork, { from, into }: MergedPair): Promise<JsonValue> {
  const ledger = await openLedger(uow, [from, into], timestampClock());
  const [merged, kept] = [balanceOf(ledger, from), balanceOf(ledger, into)];
  if (kept.available + merged.available > SUM_MAX) throw tooMany(merged, kept);
  const moved: Kept = {
    available: amountToDecimal(merged.available),
    spent: amountToDecimal(merged.spent),
    expired: amountToDecimal(merged.expired),
    lifetimeEarned: amountToDecimal(merged.lifetimeEarned),
    debt: amountToDecimal(merged.debt),
  };
  await move(uow, ledger, { from, into }, moved);
  return moved;
}

/** Takes a merge of balances back, by two further lines MERGE. */
export async function separatePoints(uow: UnitOfWork, { from, into }: MergedPair, kept: JsonValue): Promise<void> {
  const ledger = await openLedger(uow, [from, into], timestampClock());
  await move(uow, ledger, { from: into, into: from }, kept as Kept);
}

async function move(uow: UnitOfWork, ledger: Ledger, { from, into }: MergedPair, moved: Kept): Promise<void> {
  const [source, target] = [balanceOf(ledger, from), balanceOf(ledger, into)];
  for (const name of SUMS) {
    source[name] -= amountFromDecimal(moved[name]);
    target[name] += amountFromDecimal(moved[name]);
  }
  // It may be too early, never too late.
  target.nextExpiresAt = earlierOf(source.nextExpiresAt, target.nextExpiresAt);
  const amount = amountFromDecimal(moved.available);
  if (amount > 0n) {
    const line = { type: 'MERGE', at: timestampClock(), sourceType: 'ACCOUNT' } as const;
    enter(ledger, { ...line, accountId: from, amount: -amount, sourceId: into });
    enter(ledger, { ...line, accountId: into, amount, sourceId: from });
  }
  await writeLedger(uow, ledger);
}

function earlierOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one < other ? one : other;
}

function tooMany(merged: PointBalance, kept: PointBalance) {
  return badRequest(
    sentence`The accounts have ${amountToNumber(merged.available)} and ${amountToNumber(kept.available)} points, and a balance holds at most ${amountToNumber(SUM_MAX)}. Take some away first, by AdjustPoints.`,
  );
}
