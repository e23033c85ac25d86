import type { RewardDeliveryJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Account } from '../../accounts/account.ts';
import { lastExternalIds } from '../../accounts/accounts.queries.ts';
import { lockAccounts } from '../../accounts/resolving/resolve-accounts.ts';
import { amountToNumber, optionalNumber } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { enqueueWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { rewardsSendWhen } from '../../webhooks/configuration/rewards-send-when.ts';
import { badgesInRewardsWebhook } from '../../clients/badges-in-rewards-webhook.ts';
import { rewardTypeRules } from '../definitions/reward-types.ts';
import { typeDeliveries } from './type-deliveries.ts';
import type { ClosingContext, EarnedReward, EarnedRewardFields, RewardOrder } from './earned-reward.ts';
import { lockedClosings } from './earned-rewards.queries.ts';

/** The data of an account in the webhook. */
export type Recipient = Pick<Account, 'id' | 'externalId' | 'email'>;

/**
 * Marks the rewards of closings that need one webhook for all: closings with a pending reward, if the client has set `ALL_SETTLED`.
 * A later change of the setting does not change the marks, so that no reward is reported twice or never.
 */
export async function markForOneWebhook(uow: UnitOfWork, deliveries: EarnedReward[]): Promise<EarnedReward[]> {
  const unsettled = new Set(deliveries.filter(isOfClosing).filter(isPending).map(closingKey));
  if (unsettled.size === 0 || (await rewardsSendWhen(uow)) !== 'ALL_SETTLED') return deliveries;
  return deliveries.map((delivery) =>
    isOfClosing(delivery) && unsettled.has(closingKey(delivery))
      ? { ...delivery, closing: { ...delivery.closing, together: true } }
      : delivery,
  );
}

/**
 * Puts one rewards webhook per account and campaign into the outbox, with one item for each delivered reward that closes
 * it. A pending reward is reported after its delivery, and marked ones by {@link announceSettled}. The accounts are locked.
 * @param recipients the accounts that were read already
 */
export async function announceClosings(
  uow: UnitOfWork,
  deliveries: readonly EarnedReward[],
  recipients: readonly Recipient[] = [],
): Promise<void> {
  await announce(
    uow,
    deliveries.filter((delivery) => isOfClosing(delivery) && !isPending(delivery) && !delivery.closing?.together),
    recipients,
  );
}

/**
 * Puts one webhook for each marked closing without pending rewards into the outbox. A closing without a delivered reward gets none.
 * @param changed rewards that were delivered, dropped from the queue or cancelled in this transaction
 */
export async function announceSettled(uow: UnitOfWork, changed: readonly EarnedRewardFields[]): Promise<void> {
  const touched = changed.filter(({ closing }) => closing?.together);
  if (touched.length === 0) return;
  const rewards = await lockedClosings(uow, touched);
  const unsettled = new Set(rewards.filter(isPending).map(closingKey));
  await announce(
    uow,
    rewards.filter((reward) => !unsettled.has(closingKey(reward))),
    [],
  );
}

const isOfClosing = ({ closing }: EarnedRewardFields): boolean => closing !== undefined;
const isPending = ({ status }: EarnedReward): boolean => status === 'PENDING_STOCK';
const closingKey = ({ accountId, campaignId }: EarnedRewardFields): string => `${accountId} ${campaignId}`;

/**
 * Enqueues one webhook per closing; none for the fixed address if its receivers know none of the types. Deleted accounts appear without
 * their e-mail addresses.
 */
async function announce(
  uow: UnitOfWork,
  delivered: readonly EarnedReward[],
  recipients: readonly Recipient[],
): Promise<void> {
  if (delivered.length === 0) return;
  const accounts = await recipientsOf(uow, delivered, recipients);
  const closings = Object.values(Object.groupBy(delivered, closingKey));
  const isInWebhook = await webhookFilter(uow, delivered);
  const json = (items: readonly EarnedReward[]) =>
    JSON.stringify(items.map((item) => rewardDelivery(item, accounts.get(item.accountId))));
  await enqueueWebhooks(
    uow,
    closings.map((items = []) => {
      const ofWebhook = items.filter(isInWebhook);
      return {
        kind: 'REWARDS_DELIVERED',
        json: json(items),
        ...(ofWebhook.length < items.length && { webhookJson: ofWebhook.length === 0 ? null : json(ofWebhook) }),
        campaignId: items[0]!.campaignId,
      };
    }),
  );
}

/** Whether the rewards webhook has an item of a delivery. Only rewards of new types cost a round trip. */
async function webhookFilter(
  uow: UnitOfWork,
  deliveries: readonly EarnedReward[],
): Promise<(delivery: EarnedReward) => boolean> {
  const isOld = ({ rewardType }: EarnedReward) => rewardTypeRules[rewardType].rewardsWebhook === 'always';
  if (deliveries.every(isOld) || (await badgesInRewardsWebhook(uow))) return () => true;
  return isOld;
}

/** The data to store for an order that closes a campaign. */
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

/**
 * The accounts of deliveries, by id; reads those that are not in `given`. A deleted account has its former external id, unless another
 * account has it now: the receiver knows the account by it, and gets the webhook after the deletion.
 */
async function recipientsOf(
  uow: UnitOfWork,
  deliveries: readonly EarnedReward[],
  given: readonly Recipient[],
): Promise<Map<string, Recipient>> {
  const known = new Map(given.map((recipient) => [recipient.id, recipient]));
  const unknown = new Set(deliveries.map(({ accountId }) => accountId).filter((id) => !known.has(id)));
  if (unknown.size === 0) return known;
  for (const account of await lockAccounts(uow, [...unknown])) known.set(account.id, account);
  const gone = [...unknown].filter((id) => !known.has(id));
  if (gone.length === 0) return known;
  for (const [id, externalId] of await lastExternalIds(uow, gone)) known.set(id, { id, externalId, email: undefined });
  return known;
}

/**
 * One item of the webhook's body. Keys are left out, not null, as the contract says. `codes` and `productRedemptions` are empty
 * arrays for a product without codes, so that an item of type PRODUCTS always has them.
 */
function rewardDelivery(delivery: EarnedReward, recipient: Recipient | undefined): RewardDeliveryJson {
  const { accountId, rewardType, rewardId, campaignId, closing } = delivery;
  return {
    accountId,
    externalId: recipient?.externalId,
    type: rewardType,
    amount: amountToNumber(delivery.amount),
    amountUnpaid: optionalNumber(delivery.amountUnpaid),
    ...typeDeliveries[rewardType].webhookFields(delivery, recipient?.email),
    rewardId,
    campaignId,
    ...(closing?.assignment && { assignmentId: closing.assignment.id, assignment: closing.assignment }),
    earnedRewardId: delivery.id,
  };
}
