import type { MessageInitShape } from '@bufbuild/protobuf';
import { PointEntry_Type, type PointEntrySchema } from '../../gen/laurel/v1/loyalty_pb.ts';
import { amountToNumber } from '../kernel/amount.ts';
import type { PointEntry } from './ledger.ts';
import { microsToTimestamp } from './micros.ts';

/** The API message of an entry of the ledger. */
export function toPointEntryMessage(entry: PointEntry): MessageInitShape<typeof PointEntrySchema> {
  return {
    ...entry,
    type: PointEntry_Type[entry.type],
    amount: amountToNumber(entry.amount),
    balanceAfter: amountToNumber(entry.balanceAfter),
    createdAt: microsToTimestamp(entry.createdAt),
  };
}
