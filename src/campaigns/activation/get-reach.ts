import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetReachRequest,
  GetReachResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { countMembers } from '../../audiences/members/members.queries.ts';
import type { Call } from '../../clients/call.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import { reachOfStocks } from './stock-reach.ts';

/** Counts the accounts in audiences and compares them with the stock: proto CampaignAdminService.GetReach. */
export function getReach(
  { db, principal, now }: Call,
  request: GetReachRequest,
): Promise<MessageInitShape<typeof GetReachResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const ids = request.rewards.map(({ rewardId }) => rewardId.toLowerCase());
    const rewards = await loadRewards(uow, ids);
    const given = request.rewards.flatMap(({ times }, index) => {
      const reward = rewards.get(ids[index]!);
      return reward ? [{ reward, times }] : [];
    });
    const audienceIds = request.audienceIds.map((id) => id.toLowerCase());
    const members = audienceIds.length === 0 ? 0 : await countMembers(uow, audienceIds, now);
    const reached = await reachOfStocks(uow, given, members);
    const stocks = reached.filter(({ each }) => each > 0n);
    return {
      members,
      stocks: stocks.map(({ productId, name, stock, needed }) => ({
        productId,
        productName: name,
        free: stock.free,
        needed: Number(needed),
      })),
    };
  });
}
