import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ListRewardEarnedRewardsRequest,
  ListRewardEarnedRewardsResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { EarnedReward_Status, type EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { Call } from '../../clients/call.ts';
import { optionalAmount, optionalNumber } from '../../kernel/amount.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { requireReward } from '../definitions/rewards.queries.ts';
import { EARNED_REWARD_STATUSES } from './earned-reward.ts';
import { earnedRewardTable } from './earned-reward.entity.ts';
import { LISTED, LISTED_FIELDS, listedPart } from './listed-part.ts';

/** Lists the earned rewards of a definition by page, latest first: proto RewardAdminService.ListRewardEarnedRewards. */
export function listRewardEarnedRewards(
  { db, principal }: Call,
  { rewardId, ...request }: ListRewardEarnedRewardsRequest,
): Promise<MessageInitShape<typeof ListRewardEarnedRewardsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const reward = await requireReward(uow, rewardId);
    const page = await givenPage(uow, { ...request, only: { reward_id: reward.id } });
    return { ...page, rows: page.rows.map(toGivenMessage) };
  });
}

const COLUMNS = columnsOf(earnedRewardTable, [
  ...LISTED,
  'amountUnpaid',
  'status',
  'assignmentId',
  'productId',
  'deliveredAt',
]);

type GivenRow = RowOf<typeof COLUMNS>;

/** Earned rewards by page, latest first; the caller narrows it to one `reward_id`. */
export const givenPage = pagedList<GivenRow>({
  from: 'earned_reward',
  columns: COLUMNS,
  // A UUIDv7 sorts by the time of its creation.
  orderBy: ['id'],
  descending: true,
  fields: {
    ...LISTED_FIELDS,
    status: { kind: 'enum', column: 'status', values: EARNED_REWARD_STATUSES },
    campaignId: { kind: 'uuid', column: 'campaign_id' },
    missionId: { kind: 'uuid', column: 'mission_id' },
  },
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id', 'account_id'] },
});

function toGivenMessage(row: GivenRow): MessageInitShape<typeof EarnedRewardSchema> {
  return {
    ...listedPart(row),
    amountUnpaid: optionalNumber(optionalAmount(row.amount_unpaid)),
    status: EarnedReward_Status[row.status],
    assignmentId: row.assignment_id ?? undefined,
    productId: row.product_id ?? undefined,
    deliveredAt: row.delivered_at === null ? undefined : timestampFromDate(row.delivered_at),
  };
}
