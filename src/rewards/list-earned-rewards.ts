import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EarnedRewardSchema } from '../../gen/laurel/v1/reward_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { FilterInput } from '../persistence/filter.ts';
import { type ItemField, matchFilter } from '../persistence/match-filter.ts';
import type { Delivery } from './delivery.ts';
import { earnedRewardInit } from './earned-reward-init.ts';
import { earnedRewardsOfAccount } from './earned-rewards.queries.ts';

/** What the contract lets earned rewards be filtered by. */
const FIELDS: Readonly<Record<string, ItemField<Delivery>>> = {
  campaignId: { kind: 'uuid', of: (delivery) => delivery.campaignId },
  rewardType: {
    kind: 'enum',
    values: ['PRODUCTS', 'FRAGMENTS', 'POINTS', 'CHEST'],
    of: (delivery) => delivery.rewardType,
  },
  status: { kind: 'enum', values: ['DELIVERED', 'PENDING_STOCK'], of: (delivery) => delivery.status },
};

/**
 * What an account has earned, latest first, whole. An unknown account has earned nothing, but its filter is checked.
 * @throws DomainError `InvalidFilter` (400 `BAD_REQUEST`)
 */
export async function listEarnedRewards(
  uow: UnitOfWork,
  accountId: string | undefined,
  filter: FilterInput | undefined,
): Promise<MessageInitShape<typeof EarnedRewardSchema>[]> {
  const matches = matchFilter(filter, FIELDS);
  if (accountId === undefined) return [];
  const deliveries = await earnedRewardsOfAccount(uow, accountId);
  return deliveries.filter(matches).map(earnedRewardInit);
}
