import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPendingRewardsRequest,
  ListPendingRewardsResponseSchema,
  PendingRewardSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { freeUnitsOf, requireProduct } from '../products/products.queries.ts';
import { earnedRewardTable } from './earned-reward.entity.ts';
import { LISTED, LISTED_FIELDS, listedPart } from './listed-part.ts';

/** Lists the pending rewards of a product by page, in the order of the queue: proto RewardAdminService.ListPendingRewards. */
export function listPendingRewards(
  { db, principal }: Call,
  { productId, ...request }: ListPendingRewardsRequest,
): Promise<MessageInitShape<typeof ListPendingRewardsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { id } = await requireProduct(uow, productId);
    const free = await freeUnitsOf(uow, id);
    const page = await pendingPage(uow, { ...request, only: { product_id: id, status: 'PENDING_STOCK' } });
    return { ...page, rows: page.rows.map((row) => toPendingMessage(row, free)) };
  });
}

const COLUMNS = columnsOf(earnedRewardTable, [...LISTED, 'unitsNeeded', 'queuePosition']);

type PendingRow = RowOf<typeof COLUMNS>;

const pendingPage = pagedList<PendingRow>({
  from: 'earned_reward',
  columns: COLUMNS,
  orderBy: ['queue_position'],
  fields: { ...LISTED_FIELDS, rewardId: { kind: 'uuid', column: 'reward_id' } },
  orderable: { createdAt: { column: 'queue_position', unique: true } },
  searched: { ids: ['id', 'account_id'] },
});

function toPendingMessage(row: PendingRow, free: number): MessageInitShape<typeof PendingRewardSchema> {
  const unitsNeeded = row.units_needed ?? 0;
  return { ...listedPart(row), unitsNeeded, shortfall: Math.max(0, unitsNeeded - free) };
}
