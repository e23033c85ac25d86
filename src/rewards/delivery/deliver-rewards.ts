import type { Account } from '../../accounts/account.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type BatchOutcome, typeDeliveries, type Earned, newBatch, writeBatch } from './type-deliveries.ts';
import {
  type DeliveredReward,
  type EarnedReward,
  isSkipped,
  type OrderOutcome,
  type RewardOrder,
  type Skipped,
} from './earned-reward.ts';
import { insertEarnedRewards } from './earned-rewards.queries.ts';
import { withAmounts } from './calculated-amounts.ts';
import { withoutKept } from '../reversal/kept-rewards.ts';
import { withoutRepeats } from './once-per-account.ts';
import { announceClosings, closingOf, markForOneWebhook, type Recipient } from './reward-webhooks.ts';

/**
 * Delivers the rewards that accounts have earned, for a whole batch of events at once, in the order given. The number of statements
 * does not grow with the batch. The caller has locked the accounts; this locks the products. A reward without enough stock becomes
 * PENDING_STOCK, and a restock delivers it, first come, first served. A reward is skipped if its amount is an expression that pays nothing,
 * or if the
 * account has earned it before and gets it only once, or kept it when an earlier completion was reversed. Orders that close a campaign put one webhook per account and campaign into
 * the outbox, unless that waits until all rewards of the closing are delivered or removed.
 * @param accounts accounts of the orders that the caller has read already; the others are read for amounts and webhooks
 * @returns one outcome per order, in the same order
 */
export async function deliverRewards(
  uow: UnitOfWork,
  orders: readonly RewardOrder[],
  accounts: readonly Account[] = [],
): Promise<OrderOutcome[]> {
  const checked = await withoutRepeats(uow, await withoutKept(uow, await withAmounts(uow, orders, accounts)));
  const deliveries = await deliverAll(uow, checked.filter(isToDeliver), accounts);
  let next = 0;
  return checked.map((each) => (isSkipped(each) ? each : deliveries[next++]!));
}

function isToDeliver(each: RewardOrder | Skipped): each is RewardOrder {
  return !isSkipped(each);
}

/** The same for the orders of several callers at once. @returns one list of outcomes for each caller, in order */
export async function deliverSeparately(
  uow: UnitOfWork,
  ordersOfEach: ReadonlyArray<readonly RewardOrder[]>,
  accounts: readonly Account[] = [],
): Promise<OrderOutcome[][]> {
  const outcomes = await deliverRewards(uow, ordersOfEach.flat(), accounts);
  let next = 0;
  return ordersOfEach.map(({ length }) => outcomes.slice(next, (next += length)));
}

async function deliverAll(
  uow: UnitOfWork,
  orders: readonly RewardOrder[],
  recipients: readonly Recipient[],
): Promise<EarnedReward[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const earned = orders.map((order) => ({ id: newId(), order }));
  const batch = newBatch();
  for (const item of earned) typeDeliveries[item.order.reward.type].addTo(batch, item);
  const outcome = await writeBatch(uow, batch, first.now);
  const deliveries = await markForOneWebhook(
    uow,
    earned.map((item) => deliveryOf(item, outcome)),
  );
  await insertEarnedRewards(uow, deliveries);
  await announceClosings(uow, deliveries, recipients);
  return deliveries;
}

function deliveryOf({ id, order }: Earned, { redemptions, waiting, unpaid }: BatchOutcome): EarnedReward {
  const amountUnpaid = unpaid.get(id) || undefined;
  const delivered: DeliveredReward = {
    id,
    accountId: order.accountId,
    rewardId: order.reward.id,
    rewardType: order.reward.type,
    amount: order.reward.amount - (amountUnpaid ?? 0n),
    amountUnpaid,
    amountReversed: undefined,
    firstRound: order.firstRound,
    rounds: order.rounds,
    status: 'DELIVERED',
    campaignId: order.campaignId,
    missionId: order.missionId,
    assignmentId: order.assignmentId,
    milestone: order.milestone,
    levelTrackId: order.levelTrackId,
    leaderboardRunId: order.leaderboardRunId,
    productId: order.reward.product?.id,
    redemption: redemptions.get(id),
    closing: closingOf(order),
    createdAt: order.now,
    deliveredAt: order.now,
    unitsNeeded: undefined,
  };
  const wait = waiting.get(id);
  if (wait === undefined) return delivered;
  return { ...delivered, status: 'PENDING_STOCK', ...wait, redemption: undefined, deliveredAt: undefined };
}
