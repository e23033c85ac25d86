import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { deliveredTypes, type Earned, newBatch, type Outcome, writeBatch } from './delivered-types.ts';
import type { Delivery, RewardOrder } from './delivery.ts';
import { insertEarnedRewards } from './earned-rewards.queries.ts';
import { announceClosings, closingOf, keepTogether, type Recipient } from './reward-webhooks.ts';

/**
 * Delivers what accounts have earned, a whole batch of events at once, in the order given: a number of statements that
 * does not grow with the batch. The caller holds the locks of the accounts; this takes those of the products. What is out
 * of stock becomes PENDING_STOCK and is delivered by a restock, first come, first served. Orders that close a campaign
 * put one webhook per account and campaign into the outbox, unless it is to wait until all of them are settled.
 * @param recipients the accounts of the orders, where the caller has read them: else what is told of them is read again
 * @returns one delivery per order, in the same order
 */
export async function deliverRewards(
  uow: UnitOfWork,
  orders: readonly RewardOrder[],
  recipients: readonly Recipient[] = [],
): Promise<Delivery[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const earned = orders.map((order) => ({ id: newId(), order }));
  const batch = newBatch();
  for (const item of earned) deliveredTypes[item.order.reward.type].addTo(batch, item);
  const outcome = await writeBatch(uow, batch, first.now);
  const deliveries = await keepTogether(
    uow,
    earned.map((item) => deliveryOf(item, outcome)),
  );
  await insertEarnedRewards(uow, deliveries);
  await announceClosings(uow, deliveries, recipients);
  return deliveries;
}

/** The same for several callers at once, each with its own orders. @returns one list of deliveries for each, in order */
export async function deliverSeparately(
  uow: UnitOfWork,
  ordersOfEach: ReadonlyArray<readonly RewardOrder[]>,
  recipients: readonly Recipient[] = [],
): Promise<Delivery[][]> {
  const deliveries = await deliverRewards(uow, ordersOfEach.flat(), recipients);
  let next = 0;
  return ordersOfEach.map(({ length }) => deliveries.slice(next, (next += length)));
}

function deliveryOf({ id, order }: Earned, { redemptions, waiting, unpaid }: Outcome): Delivery {
  const unitsNeeded = waiting.get(id);
  const amountUnpaid = unpaid.get(id) || undefined;
  const waits = unitsNeeded !== undefined;
  return {
    id,
    accountId: order.accountId,
    rewardId: order.reward.id,
    rewardType: order.reward.type,
    amount: order.reward.amount - (amountUnpaid ?? 0n),
    amountUnpaid,
    status: waits ? 'PENDING_STOCK' : 'DELIVERED',
    campaignId: order.campaignId,
    missionId: order.missionId,
    assignmentId: order.assignmentId,
    productId: order.reward.product?.id,
    redemption: redemptions.get(id),
    closing: closingOf(order),
    createdAt: order.now,
    deliveredAt: waits ? undefined : order.now,
    unitsNeeded,
  };
}
