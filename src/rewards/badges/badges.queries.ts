import { NIL_UUID } from '../../kernel/ids.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lockRowsSql, lookUpByKey } from '../../persistence/key-lookup.ts';
import { isOnceSql } from '../definitions/reward-types.ts';
import { rewardTable } from '../definitions/reward.entity.ts';
import { OWNED_ONCE } from '../delivery/earned-reward.entity.ts';

const BADGE = columnsOf(
  rewardTable,
  ['id', 'name', 'imageUrl', 'description', 'secret', 'owners', 'accountsCounted', 'countedAt'],
  'r',
);

/** SQL: a reward is a badge; the condition of the index `reward_once`. */
export const IS_BADGE = isOnceSql('type');

/** A badge, and the time at which an account earned it; null while the account does not have it. */
export type BadgeRow = RowOf<typeof BADGE> & { readonly earned_at: Date | null };

/**
 * The badges of the client, the oldest first, with archived ones that the account has.
 * @param accountId undefined for an account without badges
 */
export function badgesFor(uow: UnitOfWork, accountId: string | undefined): Promise<BadgeRow[]> {
  const owned = lookUpByKey({
    select: 'created_at',
    from: 'earned_reward',
    key: { reward_id: 'r.id', account_id: '$2::uuid' },
    and: OWNED_ONCE,
    many: true,
  });
  return uow.query<BadgeRow>(
    `select ${BADGE}, e.earned_at
       from reward r cross join lateral (select min(o.created_at) as earned_at from ${owned} o) e
      where r.client_id = $1 and r.${IS_BADGE} and (r.deleted_at is null or e.earned_at is not null)
      order by r.id`,
    [uow.clientId, accountId ?? NIL_UUID],
  );
}

/** The ids of badges whose owners were never counted, or not since `before`. */
export async function badgesToCount(uow: UnitOfWork, before: Date): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select id from reward where client_id = $1 and ${IS_BADGE} and (counted_at is null or counted_at < $2) order by id`,
    [uow.clientId, before],
  );
  return rows.map(({ id }) => id);
}

/** Up to `limit` accounts that have a badge, in the order of their ids from `after` on. An account may appear twice, in a row. */
export async function ownersAfter(uow: UnitOfWork, rewardId: string, after: string, limit: number): Promise<string[]> {
  const rows = await uow.query<{ account_id: string }>(
    `select account_id from earned_reward
      where client_id = $1 and reward_id = $2 and account_id > $3 and ${OWNED_ONCE}
      order by client_id, reward_id, account_id limit $4`,
    [uow.clientId, rewardId, after, limit],
  );
  return rows.map((row) => row.account_id);
}

/** The figures of one badge. */
export type OwnerCount = { readonly owners: number; readonly accounts: number; readonly countedAt: Date };

/** Stores the figures of a badge. */
export async function saveOwnerCount(
  uow: UnitOfWork,
  rewardId: string,
  { owners, accounts, countedAt }: OwnerCount,
): Promise<void> {
  await uow.query(lockRowsSql('reward'), [uow.clientId, [rewardId]]);
  await uow.query(
    `update reward r set owners = $3, accounts_counted = $4, counted_at = $5
       from ${lockedRows({ source: 'unnest($2::uuid[]) as d(id)', alias: 'd', table: 'reward', key: { id: 'd.id' } })}
      where r.client_id = $1 and r.ctid = d.row_ctid`,
    [uow.clientId, [rewardId], owners, accounts, countedAt],
  );
}
