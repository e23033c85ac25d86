import type { RewardDeliveryJson } from '../../gen/laurel/v1/webhook_pb.ts';
import { lockAccounts } from '../accounts/resolve-accounts.ts';
import { amountToNumber } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { enqueueWebhooks } from '../webhooks/enqueue-webhooks.ts';
import type { ClosingContext, Delivery, RewardOrder } from './delivery.ts';

/**
 * Puts one rewards webhook per account and campaign into the outbox, with one item for each delivered reward that closes
 * it. What waits for stock is told when it is delivered. The accounts are locked.
 */
export async function announceClosings(uow: UnitOfWork, deliveries: readonly Delivery[]): Promise<void> {
  const told = deliveries.filter(({ closing, status }) => closing !== undefined && status === 'DELIVERED');
  if (told.length === 0) return;
  const emails = await emailsOf(uow, told);
  const closings = Object.values(Object.groupBy(told, ({ accountId, campaignId }) => `${accountId} ${campaignId}`));
  await enqueueWebhooks(
    uow,
    closings.map((items = []) => ({
      type: 'REWARDS',
      body: JSON.stringify(items.map((item) => rewardDelivery(item, emails.get(item.accountId)))),
    })),
  );
}

/** What to keep of an order that closes a campaign. */
export function closingOf({ closing, accountId, reward }: RewardOrder): ClosingContext | undefined {
  if (closing === undefined) return undefined;
  const { assignment } = closing;
  if (assignment === undefined) return {};
  return {
    assignment: {
      id: assignment.id,
      progress: amountToNumber(assignment.progress),
      target: amountToNumber(assignment.target),
      status: 'COMPLETED',
      missionId: assignment.missionId,
      accountId,
      rewardId: reward.id,
    },
  };
}

/** Only receipts of product units name the account's e-mail address. */
async function emailsOf(uow: UnitOfWork, deliveries: readonly Delivery[]): Promise<Map<string, string | undefined>> {
  const accountIds = new Set(deliveries.filter(({ redemption }) => redemption).map(({ accountId }) => accountId));
  if (accountIds.size === 0) return new Map();
  const accounts = await lockAccounts(uow, [...accountIds]);
  return new Map(accounts.map((account) => [account.id, account.email]));
}

/**
 * One item of the webhook's body. Keys are left out, not null, where the contract says so; `codes` and
 * `productRedemptions` are empty arrays for a product without codes, so that a receiver of PRODUCTS always finds them.
 */
function rewardDelivery(delivery: Delivery, email: string | undefined): RewardDeliveryJson {
  const { accountId, rewardType, rewardId, campaignId, closing } = delivery;
  return {
    accountId,
    type: rewardType,
    amount: amountToNumber(delivery.amount),
    ...(rewardType === 'PRODUCTS' && unitsDelivered(delivery, email)),
    rewardId,
    campaignId,
    ...(closing?.assignment && { assignmentId: closing.assignment.id, assignment: closing.assignment }),
  };
}

function unitsDelivered({ productId, redemption, accountId }: Delivery, email: string | undefined): RewardDeliveryJson {
  const redeemables = redemption?.redeemables ?? [];
  return {
    productId,
    codes: redeemables.map(({ code, itemId, itemName }) => ({ code, item: { id: itemId, name: itemName } })),
    productRedemptions: redemption && [
      {
        product: redemption.product,
        account: { id: accountId, email },
        redeemables: redeemables.map(({ id, code, itemId }) => ({ id, code, itemId })),
      },
    ],
  };
}
