import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ChestDefinition_WarningSchema,
  ChestDefinitionSchema,
} from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ChestDefinition } from './chest-definitions.queries.ts';
import { cycleWarnings } from './chest-cycles.ts';

/** A chest definition as the API shows it, with warnings for its administrator. */
export function toChestDefinitionMessage(
  definition: ChestDefinition,
  warnings: MessageInitShape<typeof ChestDefinition_WarningSchema>[] = [],
): MessageInitShape<typeof ChestDefinitionSchema> {
  const { id, name, entries, totalWeight, version, createdAt, updatedAt, deletedAt } = definition;
  return {
    id,
    name,
    entries: entries.map((entry) => ({ ...entry })),
    totalWeight,
    version,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    archivedAt: deletedAt ? timestampFromDate(deletedAt) : undefined,
    warnings,
  };
}

/** Stored chest definitions as the API shows them, with their warnings. */
export async function showChestDefinitions(
  uow: UnitOfWork,
  definitions: readonly ChestDefinition[],
): Promise<MessageInitShape<typeof ChestDefinitionSchema>[]> {
  const warnings = await cycleWarnings(uow, definitions);
  return definitions.map((definition, index) => toChestDefinitionMessage(definition, warnings[index]));
}
