import { StreakFreezesChangedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { changeOf, type FedChange } from '../../changes/collect-changes.ts';
import { toNamelessEntryMessage } from './freeze-message.ts';
import type { FreezeEntry } from './streak-freezes.queries.ts';

/** The change that announces a line of the ledger. */
export function freezesChanged(entry: FreezeEntry): FedChange {
  const { accountId } = entry;
  return changeOf('STREAK_FREEZES_CHANGED', StreakFreezesChangedSchema, {
    accountId,
    entry: toNamelessEntryMessage(entry),
  });
}
