import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { REWARD_TYPES } from './reward-types.ts';

/** What an account can earn: the definition, not the delivery. */
export const rewardTable = defineEntity({
  name: 'RewardEntity',
  tableName: 'reward',
  ...ownedByClient,
  checks: [{ name: 'reward_amount_check', expression: 'amount > 0' }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    type: columns.oneOf(REWARD_TYPES),
    amount: columns.amount(),
    // What only some types have is null for the others: `reward-types.ts`.
    productId: columns.reference().nullable(),
    chestId: columns.reference().nullable(),
    /** Days of 24 hours after which unspent points expire; null means never. */
    expiresInDays: p.integer().nullable(),
    /** Raised by every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
    /** When it was archived; null while it is in use. Named as logical deletion is, because lists treat it so. */
    deletedAt: columns.moment().nullable(),
  },
});

export class RewardEntity extends rewardTable.class {}
rewardTable.setClass(RewardEntity);
