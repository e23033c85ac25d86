import { withAliasesSql } from '../accounts/resolving/aliases.queries.ts';
import { type Amount, amountFromDecimal, amountToDecimal } from '../kernel/amount.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The lot of the points that a reward paid. */
export type EarnedLot = {
  readonly id: string;
  /** The points that are neither spent nor expired. */
  remaining: Amount;
  /** The points that expired unspent. */
  readonly expired: Amount;
  /** The expired points that reversals have counted. */
  expiredUsed: Amount;
};

/** The points of an earned reward: the account, and the time at which it paid them. */
type Paid = { readonly accountId: string; readonly earnedRewardId: string; readonly paidAt: Date };

/**
 * The first entry of the account `paid.account_id`, or of one that was merged into it, from `since` on that has a source. Entries have
 * ascending times, so it is among the first.
 */
function entryOf(type: 'EARN' | 'EXPIRE', since: string, sourceId: string): string {
  const entry = lookUpByKey({
    select: 'id, amount',
    from: 'point_entry',
    key: { account_id: 'own.id' },
    and: `created_at >= ${since} and type = '${type}' and source_id = ${sourceId}`,
  });
  return `lateral (select e.* from ${withAliasesSql('paid.account_id')} own cross join ${entry} e)`;
}

/** The lots of these rewards in locked accounts, by the ids of the earned rewards. A reward without room in the balance has none. */
export async function earnedLots(uow: UnitOfWork, rewards: readonly Paid[]): Promise<Map<string, EarnedLot>> {
  const lot = lookUpByKey({ select: 'id, remaining, expires_at', from: 'point_lot', key: { id: 'earned.id' } });
  const rows = await uow.query<{
    readonly earned_reward_id: string;
    readonly id: string;
    readonly remaining: string;
    readonly expired: string | null;
  }>(
    `select paid.earned_reward_id, l.id, l.remaining, -expired.amount as expired
       from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as paid(account_id, earned_reward_id, paid_at)
      cross join ${entryOf('EARN', 'paid.paid_at', 'paid.earned_reward_id::text')} earned
      cross join ${lot} l
       left join ${entryOf('EXPIRE', 'l.expires_at', 'l.id::text')} expired on true`,
    [
      uow.clientId,
      rewards.map(({ accountId }) => accountId),
      rewards.map(({ earnedRewardId }) => earnedRewardId),
      rewards.map(({ paidAt }) => paidAt),
    ],
  );
  return new Map(
    rows.map((row) => [
      row.earned_reward_id,
      {
        id: row.id,
        remaining: amountFromDecimal(row.remaining),
        expired: row.expired === null ? 0n : amountFromDecimal(row.expired),
        expiredUsed: 0n,
      },
    ]),
  );
}

/** Takes points from lots of locked accounts, at most what remains in them. */
export async function drawFrom(uow: UnitOfWork, amounts: ReadonlyMap<string, Amount>): Promise<void> {
  const drawn = [...amounts].filter(([, amount]) => amount > 0n);
  if (drawn.length === 0) return;
  await uow.query(
    `update point_lot l set remaining = l.remaining - d.amount
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::numeric[]) as d(id, amount)',
         alias: 'd',
         table: 'point_lot',
         key: { id: 'd.id' },
       })} where l.client_id = $1 and l.ctid = d.row_ctid`,
    [uow.clientId, drawn.map(([id]) => id), drawn.map(([, amount]) => amountToDecimal(amount))],
  );
}
