import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { expiryOf, type LotPart } from '../ledger.ts';
import { findSpending } from './spendings.queries.ts';

/** A purchase to cancel, whose points are returned. */
export type PaidRedemption = {
  readonly id: string;
  readonly accountId: string;
  readonly pointsSpent: Amount;
  readonly createdAt: Date;
};

/**
 * The points of a cancelled purchase with their new expiry: `expiresInDays` for all of them if it is set. Otherwise each part keeps its
 * expiry if that is after `at`, or gets the time that remained when it was spent. Points spent before expiries were stored never expire.
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
