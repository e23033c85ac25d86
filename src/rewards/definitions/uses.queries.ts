import type { Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** What of the modules above uses one of this module's things. */
export type UsesAbove = (uow: UnitOfWork, id: string, now: Date) => Promise<Uses>;

/** All that keeps a reward from being archived. */
export async function allUsesOfReward(uow: UnitOfWork, id: string, usesAbove: UsesAbove, now: Date): Promise<Uses> {
  return [...(await usesAbove(uow, id, now)), ...(await chestsThatHold(uow, id))];
}

/** All that keeps a product from being archived. */
export async function allUsesOfProduct(uow: UnitOfWork, id: string, usesAbove: UsesAbove, now: Date): Promise<Uses> {
  return [...(await usesOfProduct(uow, id)), ...(await usesAbove(uow, id, now))];
}

/** Chest definitions that are not archived and may hold a reward. */
async function chestsThatHold(uow: UnitOfWork, rewardId: string): Promise<Uses> {
  const rows = await uow.query<{ name: string }>(
    `select name from chest_definition
      where client_id = $1 and deleted_at is null and entries @> jsonb_build_array(jsonb_build_object('rewardId', $2::text))
      order by name`,
    [uow.clientId, rewardId],
  );
  return rows.map(({ name }) => sentence`chest '${name}'`);
}

/** Rewards that are not archived and bring a chest of a definition. */
export async function rewardsOfChest(uow: UnitOfWork, chestId: string): Promise<Uses> {
  return rewardNames(uow, 'chest_id', chestId);
}

/** Rewards that are not archived and give a product or pieces of it, and the queue of those who wait for it. */
async function usesOfProduct(uow: UnitOfWork, productId: string): Promise<Uses> {
  const rewards = await rewardNames(uow, 'product_id', productId);
  const [row] = await uow.query<{ waiting: number }>('select waiting from product where client_id = $1 and id = $2', [
    uow.clientId,
    productId,
  ]);
  const waiting = row?.waiting ?? 0;
  return waiting === 0 ? rewards : [...rewards, sentence`${waiting} earned rewards that wait for stock`];
}

async function rewardNames(uow: UnitOfWork, column: 'chest_id' | 'product_id', id: string): Promise<Uses> {
  const rows = await uow.query<{ name: string }>(
    `select name from reward where client_id = $1 and ${column} = $2 and deleted_at is null order by name`,
    [uow.clientId, id],
  );
  return rows.map(({ name }) => sentence`reward '${name}'`);
}
