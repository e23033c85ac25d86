import type { MessageInitShape } from '@bufbuild/protobuf';
import type { StreakFreezeEntrySchema } from '../../../gen/laurel/v1/streak_freeze_pb.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import { toNamelessEntryMessage } from './freezes-changed.ts';
import type { FreezeEntry } from './freeze-entry.ts';

/** A line of the ledger as the API shows it. */
export function toFreezeEntryMessage(
  { missions }: Pick<ClientCatalog, 'missions'>,
  entry: FreezeEntry,
): MessageInitShape<typeof StreakFreezeEntrySchema> {
  const { missionId } = entry;
  const missionName = missionId === undefined ? undefined : missions.get(missionId)?.name;
  return { ...toNamelessEntryMessage(entry), missionName };
}
