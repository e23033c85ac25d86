import { newId } from '../../kernel/ids.ts';
import { expiryOf } from '../../loyalty/ledger.ts';
import { earnPoints } from '../../loyalty/move-points.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertChests, type NewChest } from '../chests/chests.queries.ts';
import { deliverProducts, type ProductClaim, type ProductOutcome } from './deliver-products.ts';
import type { Delivery, RewardOrder } from './delivery.ts';
import { insertEarnedRewards } from './earned-rewards.queries.ts';
import { wholeAmount } from '../definitions/reward-definition.ts';
import { announceClosings, closingOf, keepTogether } from './reward-webhooks.ts';

/**
 * Delivers what accounts have earned, a whole batch of events at once, in the order given: a number of statements that
 * does not grow with the batch. The caller holds the locks of the accounts; this takes those of the products. What is out
 * of stock becomes PENDING_STOCK and is delivered by a restock, first come, first served. Orders that close a campaign
 * put one webhook per account and campaign into the outbox, unless it is to wait until all of them are settled.
 * @returns one delivery per order, in the same order
 */
export async function deliverRewards(uow: UnitOfWork, orders: readonly RewardOrder[]): Promise<Delivery[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const earned = orders.map((order) => ({ id: newId(), order }));
  await earnPoints(uow, earned.flatMap(pointsOf));
  await insertChests(uow, earned.flatMap(chestsOf));
  const outcome = await deliverProducts(uow, earned.flatMap(claimOf), first.now);
  const deliveries = await keepTogether(
    uow,
    earned.map((item) => deliveryOf(item, outcome)),
  );
  await insertEarnedRewards(uow, deliveries);
  await announceClosings(uow, deliveries);
  return deliveries;
}

/** An order under the id that its delivery will have. */
type Earned = { readonly id: string; readonly order: RewardOrder };

function pointsOf({ id, order: { accountId, reward, now, operationId } }: Earned) {
  if (reward.type !== 'POINTS') return [];
  const expiresAt = expiryOf(now, reward.expiresInDays);
  const source = { sourceType: 'EARNED_REWARD', sourceId: id, operationId };
  return [{ accountId, amount: reward.amount, at: now, expiresAt, ...source }];
}

function chestsOf({ id, order: { accountId, reward, now } }: Earned): NewChest[] {
  const { type, chestId } = reward;
  if (type !== 'CHEST' || chestId === undefined) return [];
  const chest = { accountId, chestId, earnedRewardId: id, createdAt: now };
  return Array.from({ length: wholeAmount(reward) }, () => ({ id: newId(), ...chest }));
}

function claimOf({ id, order: { accountId, reward } }: Earned): ProductClaim[] {
  const { type, product } = reward;
  if ((type !== 'PRODUCTS' && type !== 'FRAGMENTS') || product === undefined) return [];
  return [{ id, accountId, type, product, amount: wholeAmount(reward) }];
}

function deliveryOf({ id, order }: Earned, { redemptions, waiting }: ProductOutcome): Delivery {
  const waits = waiting.has(id);
  return {
    id,
    accountId: order.accountId,
    rewardId: order.reward.id,
    rewardType: order.reward.type,
    amount: order.reward.amount,
    status: waits ? 'PENDING_STOCK' : 'DELIVERED',
    campaignId: order.campaignId,
    missionId: order.missionId,
    assignmentId: order.assignmentId,
    productId: order.reward.product?.id,
    redemption: redemptions.get(id),
    closing: closingOf(order),
    createdAt: order.now,
    deliveredAt: waits ? undefined : order.now,
  };
}
