import { PointsChangedSchema } from '../../gen/laurel/v1/change_pb.ts';
import { changeOf, type FedChange } from '../changes/collect-changes.ts';
import type { PointEntry } from './ledger.ts';
import { toPointEntryMessage } from './point-entry-message.ts';

/** The change that announces an entry of the ledger. */
export function pointsChanged(entry: PointEntry): FedChange {
  return changeOf('POINTS_CHANGED', PointsChangedSchema, {
    accountId: entry.accountId,
    entry: toPointEntryMessage(entry),
  });
}
