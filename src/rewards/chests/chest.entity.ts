import { defineEntity, p } from '@mikro-orm/core';
import type { ChestRoll } from '../../engine/chest-roll.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** One chest in an account's inventory. */
export const chestTable = defineEntity({
  name: 'ChestEntity',
  tableName: 'chest',
  ...ownedByClient,
  indexes: [
    { name: 'chest_account', properties: ['clientId', 'accountId', 'id'] },
    // The index shows whether a chest of a definition was ever won.
    { name: 'chest_definition_won', properties: ['clientId', 'chestId'] },
  ],
  checks: [{ name: 'chest_opened_with_roll', expression: '(opened_at is null) = (roll is null)' }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    /** The id of the definition, not of the chest: the property is named as its column. */
    chestId: columns.reference(),
    /** The delivery of the chest. */
    earnedRewardId: columns.reference(),
    createdAt: columns.createdAt(),
    /** The time of opening; null while closed. */
    openedAt: columns.moment().nullable(),
    /** The draw of its content; null while closed. */
    roll: p.json<ChestRoll>().nullable(),
  },
});

export class ChestEntity extends chestTable.class {}
chestTable.setClass(ChestEntity);
