import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ChestDefinitionSchema } from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import type { ChestDefinition } from './chest-definitions.queries.ts';

/** A chest definition as the API shows it. */
export function toChestDefinitionMessage(definition: ChestDefinition): MessageInitShape<typeof ChestDefinitionSchema> {
  const { id, name, entries, totalWeight, version, createdAt, updatedAt, deletedAt } = definition;
  return {
    ...{ id, name, entries: entries.map((entry) => ({ ...entry })), totalWeight, version },
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    archivedAt: deletedAt ? timestampFromDate(deletedAt) : undefined,
  };
}
