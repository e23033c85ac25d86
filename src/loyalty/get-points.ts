import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetPointsRequest, GetPointsResponseSchema } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { findAccountToRead } from '../accounts/find-account-to-read.ts';
import type { Principal } from '../clients/principal.ts';
import { type Amount, amountToNumber } from '../kernel/amount.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { emptyBalance } from './ledger.ts';
import { nextExpirations } from './loyalty.queries.ts';
import { settledBalance } from './settled-balance.ts';

/** What an account has earned but must still claim; the room that knows the claims says it. */
export type PendingPoints = (uow: UnitOfWork, accountId: string) => Promise<Amount>;

/** Gives an account's points as they are at `now`: proto LoyaltyService.GetPoints. */
export function getPoints(
  db: Database,
  principal: Principal,
  request: GetPointsRequest,
  { now, pendingPoints }: { now: Date; pendingPoints: PendingPoints },
): Promise<MessageInitShape<typeof GetPointsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, request);
    // Nothing was ever recorded for an unknown external id, not even an internal id.
    const balance = account ? await settledBalance(uow, account.id, now) : emptyBalance('');
    const next = balance.nextExpiresAt && (await nextExpirations(uow, [balance.accountId])).get(balance.accountId);
    return {
      points: {
        accountId: balance.accountId,
        available: amountToNumber(balance.available),
        pending: account ? amountToNumber(await pendingPoints(uow, account.id)) : 0,
        spent: amountToNumber(balance.spent),
        expired: amountToNumber(balance.expired),
        lifetimeEarned: amountToNumber(balance.lifetimeEarned),
        nextExpiration: next && { amount: amountToNumber(next.amount), at: timestampFromDate(next.at) },
      },
    };
  });
}
