import type { Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** Finds the uses of a reward or product in the modules above this one. */
export type UsesAbove = (uow: UnitOfWork, id: string, now: Date) => Promise<Uses>;

/** All uses that prevent the archiving of a reward. */
export async function allUsesOfReward(uow: UnitOfWork, id: string, usesAbove: UsesAbove, now: Date): Promise<Uses> {
  return [...(await usesAbove(uow, id, now)), ...(await chestsThatHold(uow, id))];
}

/** All uses that prevent the archiving of a product. */
export async function allUsesOfProduct(uow: UnitOfWork, id: string, usesAbove: UsesAbove, now: Date): Promise<Uses> {
  return [...(await usesOfProduct(uow, id)), ...(await usesAbove(uow, id, now))];
}

/** Chest definitions in use that may contain a reward. */
async function chestsThatHold(uow: UnitOfWork, rewardId: string): Promise<Uses> {
  const rows = await uow.query<{ name: string }>(
    `select name from chest_definition
      where client_id = $1 and deleted_at is null and entries @> jsonb_build_array(jsonb_build_object('rewardId', $2::text))
      order by name`,
    [uow.clientId, rewardId],
  );
  return rows.map(({ name }) => sentence`chest '${name}'`);
}

/** Rewards in use that give a chest of a definition. */
export async function rewardsOfChest(uow: UnitOfWork, chestId: string): Promise<Uses> {
  return rewardNames(uow, 'chest_id', chestId);
}

/** Rewards in use that give a product or pieces of it, and the number of earned rewards that wait for it. */
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
