import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ChestSchema } from '../../../gen/laurel/v1/chest_pb.ts';
import type { ChestRoll } from '../../engine/chest-roll.ts';

/** One chest in an account's inventory. */
export type Chest = {
  readonly id: string;
  /** The id of the definition. */
  readonly chestId: string;
  /** The name of the definition. */
  readonly name: string;
  readonly accountId: string;
  readonly createdAt: Date;
  /** The time of opening, and the draw; undefined while closed. */
  readonly opened: { readonly at: Date; readonly roll: ChestRoll } | undefined;
};

/** A chest as the API shows it. */
export function toChestMessage({ opened, createdAt, ...chest }: Chest): MessageInitShape<typeof ChestSchema> {
  return {
    ...chest,
    createdAt: timestampFromDate(createdAt),
    openedAt: opened && timestampFromDate(opened.at),
    roll: opened && { ...opened.roll, entries: [...opened.roll.entries] },
  };
}
