import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { REWARD_TYPES } from '../definitions/reward-types.ts';
import { type ClosingContext, DELIVERY_STATUSES } from './delivery.ts';

/** One delivery of a reward to one account. */
export const earnedRewardTable = defineEntity({
  name: 'EarnedRewardEntity',
  tableName: 'earned_reward',
  ...ownedByClient,
  indexes: [
    { name: 'earned_reward_account', properties: ['clientId', 'accountId', 'id'] },
    // Who earned a reward, latest first. Its ids are of the moment, so that writing adds to the end of a reward's part.
    { name: 'earned_reward_reward', properties: ['clientId', 'rewardId', 'id'] },
    // Who waits for a product and can be served with so many units, first come first served.
    {
      name: 'earned_reward_needs',
      properties: ['clientId', 'productId', 'unitsNeeded', 'queuePosition'],
      where: `status = 'PENDING_STOCK'`,
    },
    // What an account waits for.
    {
      name: 'earned_reward_waiting',
      properties: ['clientId', 'accountId', 'productId'],
      where: `status = 'PENDING_STOCK'`,
    },
  ],
  uniques: [
    // The queue of a product, as it is listed.
    {
      name: 'earned_reward_queue',
      properties: ['clientId', 'productId', 'queuePosition'],
      where: `status = 'PENDING_STOCK'`,
    },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    rewardId: columns.reference(),
    /** Type and amount as they were then; the reward may change afterwards. */
    rewardType: columns.oneOf(REWARD_TYPES),
    amount: columns.amount(),
    /** Points beyond `amount` for which the balance had no room; null where it had. */
    amountUnpaid: columns.amount().nullable(),
    status: columns.oneOf(DELIVERY_STATUSES),
    campaignId: columns.reference().nullable(),
    missionId: columns.reference().nullable(),
    assignmentId: columns.reference().nullable(),
    productId: columns.reference().nullable(),
    redemptionId: columns.reference().nullable(),
    /** Place among those who wait for the product, given under the product's lock: no clock decides who came first. */
    queuePosition: p.integer().nullable(),
    /**
     * Units of the product without which it cannot be delivered; null once it is. Of pieces, those that they make with what the
     * account holds, so it changes with the holding, under the account's lock; it falls only with the product's lock as well.
     */
    unitsNeeded: p.integer().nullable(),
    /** What the webhook of a pending reward needs when a restock delivers it later. */
    webhookContext: p.json<ClosingContext>().nullable(),
    createdAt: columns.createdAt(),
    deliveredAt: columns.moment().nullable(),
  },
});

export class EarnedRewardEntity extends earnedRewardTable.class {}
earnedRewardTable.setClass(EarnedRewardEntity);
