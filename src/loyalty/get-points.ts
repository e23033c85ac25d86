import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetPointsRequest, GetPointsResponseSchema } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { findAccountToRead } from '../accounts/resolving/find-account-to-read.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../clients/call.ts';
import { type Amount, amountToNumber, sumToNumber } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { batchedLookUp } from '../persistence/batching/batched-look-up.ts';
import { emptyBalance, isDue, type PointBalance } from './ledger.ts';
import { nextExpirations } from './loyalty.queries.ts';
import { settledBalance, storedBalance } from './settled-balance.ts';

/** The earned but unclaimed points of an account; the module of claims computes them. */
export type PendingPoints = (uow: UnitOfWork, accountId: string, now: Date) => Promise<Amount>;

/** Returns an account's points at `now`: proto LoyaltyService.GetPoints. */
export async function getPoints(
  { db, principal, now }: Call,
  request: GetPointsRequest,
  pendingPoints: PendingPoints,
): Promise<MessageInitShape<typeof GetPointsResponseSchema>> {
  const settled = await db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, request);
    // An unknown external id has no records, not even an internal id.
    if (account === undefined) return pointsOf(emptyBalance(''));
    const [balance, pending] = await Promise.all([storedBalance(uow, account.id), pendingPoints(uow, account.id, now)]);
    return isDue(balance, now) ? undefined : pointsOf(balance, pending, await nextExpirationOf(uow, balance));
  });
  if (settled !== undefined) return settled;
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, request);
    const balance = await settledBalance(uow, account.id, now);
    return pointsOf(balance, await pendingPoints(uow, account.id, now), await nextExpirationOf(uow, balance));
  });
}

async function nextExpirationOf(uow: UnitOfWork, { accountId, nextExpiresAt }: PointBalance) {
  return nextExpiresAt && nextExpiration(uow, accountId);
}

const nextExpiration = batchedLookUp(nextExpirations);

function pointsOf(
  balance: PointBalance,
  pending: Amount = 0n,
  next?: { readonly amount: Amount; readonly at: Date },
): MessageInitShape<typeof GetPointsResponseSchema> {
  return {
    points: {
      accountId: balance.accountId,
      available: amountToNumber(balance.available),
      pending: sumToNumber(pending),
      spent: sumToNumber(balance.spent),
      expired: sumToNumber(balance.expired),
      lifetimeEarned: sumToNumber(balance.lifetimeEarned),
      debt: balance.debt === 0n ? undefined : sumToNumber(balance.debt),
      nextExpiration: next && { amount: amountToNumber(next.amount), at: timestampFromDate(next.at) },
    },
  };
}
