import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListEarnedRewardsRequest, ListEarnedRewardsResponseSchema } from '../../gen/laurel/v1/feed_service_pb.ts';
import { findAccountToRead } from '../accounts/find-account-to-read.ts';
import type { Principal } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { listEarnedRewards as listRewards } from '../rewards/list-earned-rewards.ts';

/** Gives everything an account has earned, latest first: proto FeedService.ListEarnedRewards. */
export function listEarnedRewards(
  db: Database,
  principal: Principal,
  { accountId, idType, filters }: ListEarnedRewardsRequest,
): Promise<MessageInitShape<typeof ListEarnedRewardsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    return { rewards: await listRewards(uow, account?.id, filters) };
  });
}
