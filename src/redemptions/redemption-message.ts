import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Redemption_Source, Redemption_Status, type RedemptionSchema } from '../../gen/laurel/v1/redemption_pb.ts';
import { amountToNumber } from '../kernel/amount.ts';
import type { RecordedRedemption } from './redemption.ts';

/** A redemption as the API shows it. `email` is the stored address of its account, if any. */
export function toRedemptionMessage(
  redemption: RecordedRedemption,
  email: string | undefined,
): MessageInitShape<typeof RedemptionSchema> {
  return {
    id: redemption.id,
    account: { id: redemption.accountId, email },
    product: redemption.product,
    source: Redemption_Source[redemption.source],
    quantity: redemption.quantity,
    pointsSpent: amountToNumber(redemption.pointsSpent),
    status: Redemption_Status[redemption.status],
    redeemables: redemption.redeemables.map(({ id, code, itemId }) => ({ id, code, itemId })),
    createdAt: timestampFromDate(redemption.createdAt),
  };
}
