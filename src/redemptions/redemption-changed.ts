import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { RedemptionChangedSchema } from '../../gen/laurel/v1/change_pb.ts';
import { Redemption_Source, Redemption_Status } from '../../gen/laurel/v1/redemption_pb.ts';
import { changeOf, type FedChange } from '../changes/collect-changes.ts';
import { amountToNumber } from '../kernel/amount.ts';
import { deliveredCodeOf, type RecordedRedemption } from './redemption.ts';

/** The change that announces a redemption, or its cancellation. */
export function redemptionChanged(redemption: RecordedRedemption): FedChange {
  const { id, accountId, product, source, sourceId, quantity, pointsSpent, status, createdAt } = redemption;
  return changeOf('REDEMPTION_CHANGED', RedemptionChangedSchema, {
    redemptionId: id,
    accountId,
    productId: product.id,
    productName: product.name,
    source: Redemption_Source[source],
    sourceId,
    quantity,
    pointsSpent: amountToNumber(pointsSpent),
    status: Redemption_Status[status],
    codes: redemption.redeemables.map(deliveredCodeOf),
    createdAt: timestampFromDate(createdAt),
  });
}
