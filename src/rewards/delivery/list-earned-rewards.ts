import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListEarnedRewardsRequest,
  ListEarnedRewardsResponseSchema,
} from '../../../gen/laurel/v1/feed_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { type ItemField, matchFilter } from '../../persistence/lists/match-filter.ts';
import { REWARD_TYPES } from '../definitions/reward-types.ts';
import { type EarnedReward, EARNED_REWARD_STATUSES } from './earned-reward.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';
import { earnedRewardsOfAccount } from './earned-rewards.queries.ts';

/** The fields by which the contract filters earned rewards. */
const FIELDS: Readonly<Record<string, ItemField<EarnedReward>>> = {
  campaignId: { kind: 'uuid', of: (delivery) => delivery.campaignId },
  rewardType: { kind: 'enum', values: REWARD_TYPES, of: (delivery) => delivery.rewardType },
  status: { kind: 'enum', values: EARNED_REWARD_STATUSES, of: (delivery) => delivery.status },
};

/**
 * Lists all earned rewards of an account, latest first: proto FeedService.ListEarnedRewards. An unknown account has none, but the
 * filter is checked.
 */
export function listEarnedRewards(
  { db, principal }: Call,
  { accountId, idType, filters }: ListEarnedRewardsRequest,
): Promise<MessageInitShape<typeof ListEarnedRewardsResponseSchema>> {
  const codeIds = isPerson(principal);
  return db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    const matches = matchFilter(filters, FIELDS);
    if (account === undefined) return { rewards: [] };
    const deliveries = await earnedRewardsOfAccount(uow, account.id);
    return { rewards: deliveries.filter(matches).map((delivery) => toEarnedRewardMessage(delivery, codeIds)) };
  });
}
