import { defineEntity, p } from '@mikro-orm/core';
import type { ChestEntry } from '../engine/chest-roll.ts';
import { columns, ownedByClient } from '../persistence/columns.ts';

/** What chests of one kind may hold. Never changed, so that no opened chest disagrees with it. */
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
    createdAt: columns.createdAt(),
  },
});

export class ChestDefinitionEntity extends chestDefinitionTable.class {}
chestDefinitionTable.setClass(ChestDefinitionEntity);
