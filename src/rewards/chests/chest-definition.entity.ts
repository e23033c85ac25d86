import { defineEntity, p } from '@mikro-orm/core';
import type { ChestEntry } from '../../engine/chest-roll.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * The possible contents of chests of one kind. The odds are fixed after a chest was won, so that every opened chest
 * agrees with them.
 */
export const chestDefinitionTable = defineEntity({
  name: 'ChestDefinitionEntity',
  tableName: 'chest_definition',
  ...ownedByClient,
  checks: [{ name: 'chest_definition_weight_check', expression: 'total_weight > 0' }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    /** The entries, in the order of the draw. */
    entries: p.json<ChestEntry[]>(),
    totalWeight: p.integer(),
    /** Each change raises it, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
    /** The time of archiving; null while it is in use. The name is that of logical deletion, because lists treat it the same. */
    deletedAt: columns.moment().nullable(),
  },
});

export class ChestDefinitionEntity extends chestDefinitionTable.class {}
chestDefinitionTable.setClass(ChestDefinitionEntity);
