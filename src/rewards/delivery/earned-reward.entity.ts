import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { isOnceSql, REWARD_TYPES } from '../definitions/reward-types.ts';
import { type ClosingContext, EARNED_REWARD_STATUSES } from './earned-reward.ts';

/**
 * SQL for the earned rewards that an account has, of types that it gets only once. A reversal takes such a reward whole. Two merged accounts
 * may both have brought one.
 */
export const OWNED_ONCE = `${isOnceSql('reward_type')} and amount_reversed is null`;

/** A reward that one account has earned, delivered or waiting. */
export const earnedRewardTable = defineEntity({
  name: 'EarnedRewardEntity',
  tableName: 'earned_reward',
  ...ownedByClient,
  indexes: [
    { name: 'earned_reward_account', properties: ['clientId', 'accountId', 'id'] },
    // The deliveries of a reward, latest first. Ids grow with time, so that a new row goes to the end of its reward's part.
    { name: 'earned_reward_reward', properties: ['clientId', 'rewardId', 'id'] },
    // The owners of a badge, and the badges of an account.
    { name: 'earned_reward_once', properties: ['clientId', 'rewardId', 'accountId'], where: OWNED_ONCE },
    // The earned rewards that wait for a product and need at most so many units, first come, first served.
    {
      name: 'earned_reward_needs',
      properties: ['clientId', 'productId', 'unitsNeeded', 'queuePosition'],
      where: `status = 'PENDING_STOCK'`,
    },
    // The earned rewards of an account that wait for stock.
    {
      name: 'earned_reward_waiting',
      properties: ['clientId', 'accountId', 'productId'],
      where: `status = 'PENDING_STOCK'`,
    },
  ],
  uniques: [
    // The queue of a product, in the order of lists.
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
    /** The type and the amount at the time of earning; the definition may change afterwards. */
    rewardType: columns.oneOf(REWARD_TYPES),
    amount: columns.amount(),
    /** The points beyond the maximum of the balance, not part of `amount`; null if all were paid. */
    amountUnpaid: columns.amount().nullable(),
    /** The part of `amount` that reversals took back; null for none. */
    amountReversed: columns.amount().nullable(),
    /** The part of `amountReversed` that became a debt of points; null for none. */
    amountOwed: columns.amount().nullable(),
    /** The first round of a mission that repeats, and the number of rounds. Null for other missions. */
    firstRound: p.integer().nullable(),
    rounds: p.integer().nullable(),
    status: columns.oneOf(EARNED_REWARD_STATUSES),
    campaignId: columns.reference().nullable(),
    missionId: columns.reference().nullable(),
    assignmentId: columns.reference().nullable(),
    /** The milestone of a STREAK that gave it; null for another source. */
    milestone: p.integer().nullable(),
    /** The level track that gave it; null for another source. */
    levelTrackId: columns.reference().nullable(),
    /** The run of a leaderboard that gave it; null for another source. */
    leaderboardRunId: columns.reference().nullable(),
    productId: columns.reference().nullable(),
    redemptionId: columns.reference().nullable(),
    /** The position in the queue of the product, assigned under the product's lock, so that the order does not depend on clocks. */
    queuePosition: p.integer().nullable(),
    /**
     * The units of the product that its delivery needs; null after it. For pieces: the units that they make with the pieces of the
     * account. So it changes with the account's pieces, under the account's lock; it decreases only under the product's lock as well.
     */
    unitsNeeded: p.integer().nullable(),
    /** Data for the webhook of a pending reward, for a later delivery. */
    webhookContext: p.json<ClosingContext>().nullable(),
    createdAt: columns.createdAt(),
    deliveredAt: columns.moment().nullable(),
  },
});

export class EarnedRewardEntity extends earnedRewardTable.class {}
earnedRewardTable.setClass(EarnedRewardEntity);
