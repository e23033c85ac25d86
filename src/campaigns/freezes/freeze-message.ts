import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { StreakFreezeEntry_Type, type StreakFreezeEntrySchema } from '../../../gen/laurel/v1/streak_freeze_pb.ts';
import { optionalNumber } from '../../kernel/amount.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import type { FreezeEntry } from './streak-freezes.queries.ts';

/** A line of the ledger as the API shows it. */
export function toFreezeEntryMessage(
  { missions }: Pick<ClientCatalog, 'missions'>,
  entry: FreezeEntry,
): MessageInitShape<typeof StreakFreezeEntrySchema> {
  const { missionId } = entry;
  const missionName = missionId === undefined ? undefined : missions.get(missionId)?.name;
  return { ...toNamelessEntryMessage(entry), missionName };
}

/** The same without the name of the mission. */
export function toNamelessEntryMessage(entry: FreezeEntry): MessageInitShape<typeof StreakFreezeEntrySchema> {
  const { id, type, amount, at, missionId, periodKey, milestone, points, operationId, reason } = entry;
  return {
    ...{ id, amount, missionId, periodKey, milestone, operationId, reason },
    type: StreakFreezeEntry_Type[type],
    effectiveAt: timestampFromDate(at),
    points: optionalNumber(points),
  };
}
