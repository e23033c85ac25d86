import type { Amount } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { expiryOf, type LotPart } from './ledger.ts';
import { findSpending } from './spendings.queries.ts';

/** A purchase whose points are to be given back. */
export type PaidRedemption = {
  readonly id: string;
  readonly accountId: string;
  readonly pointsSpent: Amount;
  readonly createdAt: Date;
};

/**
 * The points of a purchase with the moments at which they expire once they are given back: `expiresInDays` for all of them,
 * or else each part its own moment if that is still ahead at `at`, and what it had left when it was spent if not. What was
 * spent before such moments were noted never expires.
 */
export async function partsToReturn(
  uow: UnitOfWork,
  redemption: PaidRedemption,
  { at, expiresInDays }: { readonly at: Date; readonly expiresInDays: number | undefined },
): Promise<LotPart[]> {
  const { pointsSpent: amount } = redemption;
  if (expiresInDays !== undefined) return [{ amount, expiresAt: expiryOf(at, expiresInDays) }];
  const { spentAt = at, drawn = [{ amount, expiresAt: undefined }] } = (await findSpending(uow, redemption)) ?? {};
  return drawn.map((part) => ({ ...part, expiresAt: returnedExpiry(part, spentAt, at) }));
}

function returnedExpiry({ expiresAt }: LotPart, spentAt: Date, at: Date): Date | undefined {
  if (expiresAt === undefined || expiresAt > at) return expiresAt;
  return new Date(at.getTime() + expiresAt.getTime() - spentAt.getTime());
}
