import type { RewardDeliveryJson } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Account } from '../../accounts/account.ts';
import { lastExternalIds } from '../../accounts/accounts.queries.ts';
import { lockAccounts } from '../../accounts/resolve-accounts.ts';
import { amountToNumber, optionalNumber } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { enqueueWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { rewardsSendWhen } from '../../webhooks/configuration/rewards-send-when.ts';
import { deliveredTypes } from './delivered-types.ts';
import type { ClosingContext, Delivery, EarnedReward, RewardOrder } from './delivery.ts';
import { lockedClosings } from './earned-rewards.queries.ts';

/** What the webhook tells of an account. */
export type Recipient = Pick<Account, 'id' | 'externalId' | 'email'>;

/**
 * Marks the rewards of closings that are to be told by one webhook: those for which stock is missing, where the client
 * wants it so. What is marked stays so whatever the client sets later: nothing is then told twice, or never.
 */
export async function keepTogether(uow: UnitOfWork, deliveries: Delivery[]): Promise<Delivery[]> {
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
 * it. What waits for stock is told when it is delivered; what is kept together, by {@link announceSettled}. The accounts
 * are locked.
 * @param recipients those of the accounts that were read already
 */
export async function announceClosings(
  uow: UnitOfWork,
  deliveries: readonly Delivery[],
  recipients: readonly Recipient[] = [],
): Promise<void> {
  await announce(
    uow,
    deliveries.filter((delivery) => isOfClosing(delivery) && !isPending(delivery) && !delivery.closing?.together),
    recipients,
  );
}

/**
 * Puts the one webhook of each closing that is kept together into the outbox, if it is settled by now: none of its rewards
 * waits any more. Without one that was delivered there is nothing to tell.
 * @param changed rewards that were delivered, dropped from the queue or cancelled in this transaction
 */
export async function announceSettled(uow: UnitOfWork, changed: readonly EarnedReward[]): Promise<void> {
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

const isOfClosing = ({ closing }: EarnedReward): boolean => closing !== undefined;
const isPending = ({ status }: Delivery): boolean => status === 'PENDING_STOCK';
const closingKey = ({ accountId, campaignId }: EarnedReward): string => `${accountId} ${campaignId}`;

/** One webhook per closing. Accounts that are deleted are told of without their e-mail addresses. */
async function announce(
  uow: UnitOfWork,
  delivered: readonly Delivery[],
  recipients: readonly Recipient[],
): Promise<void> {
  if (delivered.length === 0) return;
  const accounts = await recipientsOf(uow, delivered, recipients);
  const closings = Object.values(Object.groupBy(delivered, closingKey));
  await enqueueWebhooks(
    uow,
    closings.map((items = []) => ({
      type: 'REWARDS',
      body: JSON.stringify(items.map((item) => rewardDelivery(item, accounts.get(item.accountId)))),
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

/**
 * The accounts of deliveries, by id; reads those that are not among the given ones. Of one that is deleted there is the external id
 * that it had, as long as that names nobody else: by it the receiver knows the account, and hears of it later than it left.
 */
async function recipientsOf(
  uow: UnitOfWork,
  deliveries: readonly Delivery[],
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
 * One item of the webhook's body. Keys are left out, not null, where the contract says so; `codes` and
 * `productRedemptions` are empty arrays for a product without codes, so that a receiver of PRODUCTS always finds them.
 */
function rewardDelivery(delivery: Delivery, recipient: Recipient | undefined): RewardDeliveryJson {
  const { accountId, rewardType, rewardId, campaignId, closing } = delivery;
  return {
    accountId,
    externalId: recipient?.externalId,
    type: rewardType,
    amount: amountToNumber(delivery.amount),
    amountUnpaid: optionalNumber(delivery.amountUnpaid),
    ...deliveredTypes[rewardType].webhookFields(delivery, recipient?.email),
    rewardId,
    campaignId,
    ...(closing?.assignment && { assignmentId: closing.assignment.id, assignment: closing.assignment }),
    earnedRewardId: delivery.id,
  };
}
