import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { StreakFreezesChangedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { StreakFreezeEntry_Type, type StreakFreezeEntrySchema } from '../../../gen/laurel/v1/streak_freeze_pb.ts';
import { changeOf, type FedChange } from '../../changes/collect-changes.ts';
import { optionalNumber } from '../../kernel/amount.ts';
import type { FreezeEntry } from './freeze-entry.ts';

/** The change that announces a line of the ledger. */
export function freezesChanged(entry: FreezeEntry): FedChange {
  const { accountId } = entry;
  return changeOf('STREAK_FREEZES_CHANGED', StreakFreezesChangedSchema, {
    accountId,
    entry: toNamelessEntryMessage(entry),
  });
}

/** A line of the ledger without the name of its mission. */
export function toNamelessEntryMessage(entry: FreezeEntry): MessageInitShape<typeof StreakFreezeEntrySchema> {
  const { id, type, amount, at, missionId, periodKey, milestone, points, operationId, reason } = entry;
  return {
    ...{ id, amount, missionId, periodKey, milestone, operationId, reason },
    type: StreakFreezeEntry_Type[type],
    effectiveAt: timestampFromDate(at),
    points: optionalNumber(points),
  };
}
