import { firstIdAt } from '../../kernel/ids.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** Chests that one delivery gave to an account, of which some are to be removed. */
export type ChestsToTake = {
  readonly accountId: string;
  readonly earnedRewardId: string;
  /** The time of the delivery. */
  readonly createdAt: Date;
  /** The most chests to remove. */
  readonly count: number;
};

/** Removes closed chests of locked accounts. @returns the removed chests of each delivery; none if all are open */
export async function takeUnopened(uow: UnitOfWork, wanted: readonly ChestsToTake[]): Promise<Map<string, number>> {
  if (wanted.length === 0) return new Map();
  const rows = await uow.query<{ readonly id: string; readonly delivery: string }>(
    `select c.id, w.delivery
       from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as w(account, delivery, first_id)
      cross join ${lookUpByKey({
        select: 'id',
        from: 'chest',
        key: { account_id: 'w.account' },
        many: true,
        and: 'id >= w.first_id and earned_reward_id = w.delivery and opened_at is null',
      })} c
      order by c.id`,
    [
      uow.clientId,
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ earnedRewardId }) => earnedRewardId),
      wanted.map(({ createdAt }) => firstIdAt(createdAt)),
    ],
  );
  const closed = Map.groupBy(rows, ({ delivery }) => delivery);
  const taken = new Map(
    wanted.map(({ earnedRewardId, count }) => [earnedRewardId, (closed.get(earnedRewardId) ?? []).slice(0, count)]),
  );
  await uow.query(
    `delete from chest c using ${lockedRows({
      source: 'unnest($2::uuid[]) as d(id)',
      alias: 'd',
      table: 'chest',
      key: { id: 'd.id' },
    })} where c.client_id = $1 and c.ctid = d.row_ctid`,
    [uow.clientId, [...taken.values()].flatMap((chests) => chests.map(({ id }) => id))],
  );
  return new Map([...taken].map(([delivery, chests]) => [delivery, chests.length]));
}
