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
    /** In the order in which the draw passes them. */
    entries: p.json<ChestEntry[]>(),
    totalWeight: p.integer(),
    /** Raised by every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
    /** When it was archived; null while it is in use. Named as logical deletion is, because lists treat it so. */
    deletedAt: columns.moment().nullable(),
  },
});

export class ChestDefinitionEntity extends chestDefinitionTable.class {}
chestDefinitionTable.setClass(ChestDefinitionEntity);
