import { expect } from 'vitest';
import { type Amount, ONE } from '../../../src/kernel/amount.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { loadBalances } from '../../../src/loyalty/loyalty.queries.ts';
import { adjustPoints } from '../../../src/loyalty/move-points.ts';
import type { Database, UnitOfWork } from '../../../src/persistence/database.ts';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { deliverRewards } from '../../../src/rewards/delivery/deliver-rewards.ts';
import {
  type EarnedReward,
  isEarned,
  type OrderOutcome,
  type RewardOrder,
} from '../../../src/rewards/delivery/earned-reward.ts';
import type { Product, StockMode } from '../../../src/rewards/products/product.ts';
import { insertCodes } from '../../../src/rewards/products/stock/stock.queries.ts';
import { rewardTypeRules } from '../../../src/rewards/definitions/reward-types.ts';
import type { RewardDefinition } from '../../../src/rewards/definitions/reward-definition.ts';

/** New accounts without any data. Their ids ascend. */
export function newAccounts(db: Database, clientId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  return db.unitOfWork(clientId, async (uow) => {
    await uow.query(
      `insert into account (client_id, id, email) select $1, id, id || '@example.com' from unnest($2::uuid[]) as a(id)`,
      [clientId, ids],
    );
    return ids;
  });
}

/** A product with this number of codes (`CODE-1` upwards) or units. */
export async function newProduct(
  db: Database,
  clientId: string,
  stockMode: StockMode,
  units = 0,
  fragmentsRequired?: number,
): Promise<Product> {
  const product = { id: newId(), name: `a ${stockMode} product`, stockMode, fragmentsRequired, pointsCost: undefined };
  await db.unitOfWork(clientId, async (uow) => {
    await uow.query(
      `insert into product (client_id, id, name, stock_mode, stock, fragments_required) values ($1, $2, $3, $4, 0, $5)`,
      [clientId, product.id, product.name, stockMode, fragmentsRequired ?? null],
    );
    await uow.query(`insert into product_item (client_id, id, product_id, name) values ($1, $2, $2, 'an item')`, [
      clientId,
      product.id,
    ]);
    if (stockMode === 'CODES') await addCodes(uow, product, units);
    await uow.query(`update product set stock = $2::int, units_added = $2::int where id = $1`, [product.id, units]);
  });
  return product;
}

/** Buys units of a product for points. */
export async function setPrice(db: Database, clientId: string, productId: string, points: number): Promise<void> {
  await db.unitOfWork(clientId, (uow) =>
    uow.query('update product set points_cost = $3 where client_id = $1 and id = $2', [clientId, productId, points]),
  );
}

/** Adds codes, numbered after the product's last. The caller changes the stock. */
export async function addCodes(uow: UnitOfWork, product: Product, units: number): Promise<number> {
  const [row] = await uow.query<{ codes: number }>(
    `select count(*)::int as codes from product_code where product_id = $1`,
    [product.id],
  );
  const codes = Array.from({ length: units }, (_, index) => `CODE-${row!.codes + index + 1}`);
  return insertCodes(uow, { product, itemId: product.id, codes, now: new Date() });
}

/** A definition as `loadRewards` returns it. */
export function reward(
  type: RewardDefinition['type'],
  amount: number | Amount,
  rest: Partial<RewardDefinition> = {},
): RewardDefinition {
  return {
    id: newId(),
    name: `${amount} ${type}`,
    type,
    amount: typeof amount === 'bigint' ? amount : BigInt(amount) * ONE,
    onReversal: rewardTypeRules[type].onReversal,
    version: 1,
    ...rest,
  };
}

/** The rewards of orders, none of which may be skipped. */
export async function deliver(db: Database, clientId: string, orders: readonly RewardOrder[]): Promise<EarnedReward[]> {
  const earned = (await outcomesOf(db, clientId, orders)).filter(isEarned);
  expect(earned).toHaveLength(orders.length);
  return earned;
}

/** Delivers like a batch of events: in one transaction that locks the accounts. */
export function outcomesOf(db: Database, clientId: string, orders: readonly RewardOrder[]): Promise<OrderOutcome[]> {
  return db.unitOfWork(clientId, async (uow) => {
    await lockAccounts(uow, [...new Set(orders.map((order) => order.accountId))]);
    return deliverRewards(uow, orders);
  });
}

/** Adds points to an account until only `room` more fit below the maximum balance. */
export function fillBalance(
  db: Database,
  clientId: string,
  accountId: string,
  room: number,
  at = new Date(),
): Promise<void> {
  return db.unitOfWork(clientId, async (uow) => {
    await lockAccounts(uow, [accountId]);
    const balance = (await loadBalances(uow, [accountId])).get(accountId);
    const amount = BigInt((900_000_000_000 - room) * 10_000) - (balance?.available ?? 0n);
    await adjustPoints(uow, [{ accountId, amount, at, reason: 'a test', sourceType: 'CREDENTIAL' }]);
  });
}

/** The differences that `laurel verify` finds for this client; an empty list after any sequence of operations. */
export { differencesOf as differences } from '../../../src/commands/verify.ts';
