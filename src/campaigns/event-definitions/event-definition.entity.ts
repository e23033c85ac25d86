import { defineEntity, p } from '@mikro-orm/core';
import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An event code that integrators may send. */
export const eventDefinitionTable = defineEntity({
  name: 'EventDefinitionEntity',
  tableName: 'event_definition',
  ...ownedByClient,
  uniques: [{ name: 'event_definition_code_unique', properties: ['clientId', 'programmaticCode'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    programmaticCode: columns.byteExactText(),
    /** SINGLE counts occurrences, AMOUNT sums `metadata.amount`. */
    type: columns.oneOf(['SINGLE', 'AMOUNT']),
    name: columns.text(),
    description: columns.text().default(''),
    /** The declared attributes of its events. */
    attributes: p.json<readonly AttributeDefinition[]>().default('[]'),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class EventDefinitionEntity extends eventDefinitionTable.class {}
eventDefinitionTable.setClass(EventDefinitionEntity);
