import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateChestDefinitionRequest_EntrySchema } from '../../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { ChestDefinition } from '../../../../gen/laurel/admin/v1/chest_definition_pb.ts';

/** One line of the editor of a chest. */
export type EntryValues = {
  /** The key of a line in the form; never sent. */
  key: string;
  rewardId: string;
  weight: number | '';
  guaranteed: boolean;
};

/** The values of the editor of a chest. */
export type ChestValues = {
  name: string;
  entries: EntryValues[];
  /** The weight of drawing nothing: the service's total less the other weights. */
  nothing: number | '';
};

/** The highest weight of drawing nothing that leaves every chest below the service's bound of 1,000,000,000. */
export const MOST_NOTHING = 900_000_000;

/** An empty line. */
export function emptyEntry(): EntryValues {
  return { key: String(Math.random()), rewardId: '', weight: 1, guaranteed: false };
}

/** The editor's values of a chest that exists. */
export function valuesOf({ name, entries, totalWeight }: ChestDefinition): ChestValues {
  const lines = entries.map(({ rewardId, weight, guaranteed }) => ({
    ...emptyEntry(),
    rewardId,
    weight: guaranteed ? ('' as const) : weight,
    guaranteed,
  }));
  const drawn = sumOf(lines);
  return { name, entries: lines, nothing: drawn === 0 ? '' : totalWeight - drawn || '' };
}

/** The common fields of create and update. Without anything to draw there is no total. */
export function requestOf({ name, entries, nothing }: ChestValues): {
  name: string;
  entries: MessageInitShape<typeof CreateChestDefinitionRequest_EntrySchema>[];
  totalWeight?: number;
} {
  const drawn = sumOf(entries);
  return {
    name,
    entries: entries.map(({ rewardId, weight, guaranteed }) => ({
      rewardId,
      guaranteed,
      weight: guaranteed ? 0 : Number(weight),
    })),
    ...(drawn > 0 && { totalWeight: drawn + Number(nothing) }),
  };
}

/** The chance of each line and of drawing nothing, each from 0 to 1; all 0 while nothing has a weight. */
export function chancesOf({ entries, nothing }: ChestValues): {
  readonly entries: readonly number[];
  readonly nothing: number;
} {
  const drawn = sumOf(entries);
  const total = drawn + (drawn === 0 ? 0 : Number(nothing));
  const chance = (weight: number) => (total === 0 ? 0 : weight / total);
  return {
    entries: entries.map(({ guaranteed, weight }) => (guaranteed ? 1 : chance(Number(weight)))),
    nothing: drawn === 0 ? 0 : chance(Number(nothing)),
  };
}

function sumOf(entries: readonly EntryValues[]): number {
  return entries.reduce((sum, { guaranteed, weight }) => sum + (guaranteed ? 0 : Number(weight)), 0);
}
