import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { isOnceSql, ON_REVERSAL, REWARD_TYPES } from './reward-types.ts';

/** The definitions of the rewards that accounts can earn; deliveries are in `earned_reward`. */
export const rewardTable = defineEntity({
  name: 'RewardEntity',
  tableName: 'reward',
  ...ownedByClient,
  checks: [{ name: 'reward_amount_check', expression: 'amount > 0' }],
  // The badges of a client, of which it has far fewer than other rewards.
  indexes: [{ name: 'reward_once', properties: ['clientId', 'id'], where: isOnceSql('type') }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    type: columns.oneOf(REWARD_TYPES),
    amount: columns.amount(),
    // Fields that not every type has are null for the other types: `reward-types.ts`.
    productId: columns.reference().nullable(),
    chestId: columns.reference().nullable(),
    /** Days of 24 hours after which unspent points expire; null means never. */
    expiresInDays: p.integer().nullable(),
    /** The points as an expression; null for a fixed amount. Then `amount` is the most that it pays. */
    amountExpression: columns.text().nullable(),
    imageUrl: columns.text().nullable(),
    description: columns.text().nullable(),
    /** Whether accounts see it only once they have earned it; null for a type without secrets. */
    secret: p.boolean().nullable(),
    /** The consequence of a reversal; null for the default of the type. */
    onReversal: columns.oneOf(ON_REVERSAL).nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
    /** The time of archiving; null while it is in use. The name is that of logical deletion, because lists treat it the same. */
    deletedAt: columns.moment().nullable(),
    /** The accounts that have it, the accounts of the client, and the time of the count; null before the first count (decision 109). */
    owners: p.integer().nullable(),
    accountsCounted: p.integer().nullable(),
    countedAt: columns.moment().nullable(),
  },
});

export class RewardEntity extends rewardTable.class {}
rewardTable.setClass(RewardEntity);
