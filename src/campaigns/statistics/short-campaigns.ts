import type { UnitOfWork } from '../../persistence/database.ts';
import { rewardsGiving } from '../../rewards/definitions/rewards.queries.ts';
import { stockOutlook } from '../../rewards/products/stock/low-products.ts';
import { CAUSES_MAX, type AttentionItem } from '../../activity/causes.ts';
import { phaseSql } from '../campaigns/campaign-phase.ts';

/** A later shortage is not reported yet: the rate may change, and a campaign without an end outlasts every stock. */
const HORIZON_MS = 14 * 86_400_000;

/**
 * Active campaigns whose rewards sell out before they end, and within 14 days, each with the product that sells out first. Products in
 * chests are not included.
 */
export async function shortCampaigns(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  const horizon = new Date(now.getTime() + HORIZON_MS);
  const ending = (await stockOutlook(uow, now)).filter(
    ({ unitsLeft, soldOutAt }) => unitsLeft <= 0 || (soldOutAt !== undefined && soldOutAt <= horizon),
  );
  const products = new Map(ending.map((product, index) => [product.id, { ...product, index }]));
  const rewards = await rewardsGiving(uow, [...products.keys()]);
  return (await campaignsGiving(uow, [...rewards.keys()]))
    .flatMap(({ id, name, endsAt, rewardIds }) => {
      const given = rewardIds.flatMap((reward) => products.get(rewards.get(reward) ?? '') ?? []);
      const first = given.toSorted((one, other) => one.index - other.index).at(0);
      if (first === undefined || (endsAt !== null && first.soldOutAt !== undefined && first.soldOutAt >= endsAt))
        return [];
      const { unitsLeft, unitsTaken, soldOutAt: until, index } = first;
      const product = { productId: first.id, productName: first.name, unitsLeft, unitsTaken };
      return [{ index, cause: { about: id, subjectId: id, subject: name, ...product, until } }];
    })
    .toSorted((one, other) => one.index - other.index)
    .slice(0, CAUSES_MAX)
    .map(({ cause }) => ({ ...cause, severity: cause.unitsLeft <= 0 ? 'URGENT' : 'WARNING' }));
}

type Giving = {
  readonly id: string;
  readonly name: string;
  readonly endsAt: Date | null;
  readonly rewardIds: readonly string[];
};

/** Active campaigns that give one of the rewards, directly or through a mission. */
export async function campaignsGiving(uow: UnitOfWork, rewardIds: readonly string[]): Promise<Giving[]> {
  if (rewardIds.length === 0) return [];
  return uow.query<Giving>(
    `select id, name, ends_at as "endsAt", given as "rewardIds"
       from (select c.*, c.reward_ids || array(
                      select unnest(m.reward_ids) from mission m where m.client_id = $1 and m.campaign_id = c.id) as given
               from campaign c where c.client_id = $1 and c.status = 'ACTIVE') campaign
      where given && $2::uuid[] and ${phaseSql} = 'ACTIVE'`,
    [uow.clientId, rewardIds],
  );
}
