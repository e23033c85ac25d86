import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import { amountFromDecimal, amountToNumber } from '../../kernel/amount.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { ColumnField } from '../../persistence/lists/filter-sql.ts';
import { earnedRewardTable } from './earned-reward.entity.ts';

/** The fields that every list of earned rewards shows: the account, the reward, the mission and the time. */
export const LISTED = [
  'id',
  'accountId',
  'rewardId',
  'rewardType',
  'amount',
  'campaignId',
  'missionId',
  'createdAt',
] as const;

const COLUMNS = columnsOf(earnedRewardTable, LISTED);

/** The fields by which every list of earned rewards can be filtered. */
export const LISTED_FIELDS = {
  id: { kind: 'uuid', column: 'id' },
  accountId: { kind: 'uuid', column: 'account_id' },
  createdAt: { kind: 'timestamp', column: 'created_at' },
} as const satisfies Readonly<Record<string, ColumnField>>;

/** The columns of {@link LISTED} as the API shows them. */
export function listedPart(row: RowOf<typeof COLUMNS>) {
  return {
    id: row.id,
    accountId: row.account_id,
    rewardId: row.reward_id,
    rewardType: Reward_Type[row.reward_type],
    amount: amountToNumber(amountFromDecimal(row.amount)),
    campaignId: row.campaign_id ?? undefined,
    missionId: row.mission_id ?? undefined,
    createdAt: timestampFromDate(row.created_at),
  };
}
