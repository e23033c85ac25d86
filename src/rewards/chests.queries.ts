import type { UnitOfWork } from '../persistence/database.ts';

/** A closed chest for an account's inventory. */
export type NewChest = {
  readonly id: string;
  readonly accountId: string;
  /** The definition. */
  readonly chestId: string;
  readonly earnedRewardId: string;
  readonly createdAt: Date;
};

/** Puts chests into inventories, in one statement. */
export async function insertChests(uow: UnitOfWork, chests: readonly NewChest[]): Promise<void> {
  if (chests.length === 0) return;
  await uow.query(
    `insert into chest (client_id, id, account_id, chest_id, earned_reward_id, created_at)
     select $1::uuid, c.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[]) as c`,
    [
      uow.clientId,
      chests.map((chest) => chest.id),
      chests.map((chest) => chest.accountId),
      chests.map((chest) => chest.chestId),
      chests.map((chest) => chest.earnedRewardId),
      chests.map((chest) => chest.createdAt),
    ],
  );
}
