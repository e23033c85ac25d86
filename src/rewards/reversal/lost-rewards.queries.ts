import { amountToDecimal, type Amount } from '../../kernel/amount.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { EarnedRewardFields } from '../delivery/earned-reward.ts';
import { EARNED_COLUMNS, earnedFromRow, type EarnedRewardRow } from '../delivery/earned-rewards.queries.ts';

/** The source of rewards: an assignment, or the completion of a campaign. */
export type RewardSource = {
  readonly accountId: string;
  /** Rewards earned before belong to something else. */
  readonly since: Date;
} & (
  | { readonly assignmentId: string; readonly campaignId?: undefined }
  | { readonly campaignId: string; readonly assignmentId?: undefined }
);

/** A reward that one of several sources gave. */
export type SourceReward = EarnedRewardFields & {
  /** The index of the source. */
  readonly source: number;
  readonly isPending: boolean;
  readonly productId: string | undefined;
  readonly redemptionId: string | undefined;
};

/** The rewards that these sources gave, the latest first. The caller has locked the accounts. */
export async function rewardsOf(uow: UnitOfWork, sources: readonly RewardSource[]): Promise<SourceReward[]> {
  if (sources.length === 0) return [];
  const rows = await uow.query<EarnedRewardRow & { readonly source: number }>(
    `select s.source::int, e.*
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) with ordinality as s(account, first_id, assignment, campaign, source)
      cross join ${lookUpByKey({
        select: EARNED_COLUMNS,
        from: 'earned_reward',
        key: { account_id: 's.account' },
        many: true,
        and: `id >= s.first_id and (assignment_id = s.assignment or (campaign_id = s.campaign and mission_id is null))`,
      })} e
      order by s.source, e.id desc`,
    [
      uow.clientId,
      sources.map(({ accountId }) => accountId),
      sources.map(({ since }) => firstIdAt(since)),
      sources.map(({ assignmentId }) => assignmentId ?? null),
      sources.map(({ campaignId }) => campaignId ?? null),
    ],
  );
  return rows.map(rewardFromRow);
}

function rewardFromRow(row: EarnedRewardRow & { readonly source: number }): SourceReward {
  return {
    ...earnedFromRow(row),
    source: row.source - 1,
    isPending: row.status === 'PENDING_STOCK',
    productId: row.product_id ?? undefined,
    redemptionId: row.redemption_id ?? undefined,
  };
}

/** The amounts that reversals take of an earned reward. */
export type TakenAmounts = { readonly id: string; readonly taken: Amount; readonly owed: Amount };

/** Adds to the reversed amounts of earned rewards, under the locks of their accounts. */
export async function addReversed(uow: UnitOfWork, amounts: readonly TakenAmounts[]): Promise<void> {
  if (amounts.length === 0) return;
  await uow.query(
    `update earned_reward e
        set amount_reversed = coalesce(e.amount_reversed, 0) + d.taken,
            amount_owed = nullif(coalesce(e.amount_owed, 0) + d.owed, 0)
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::numeric[], $4::numeric[]) as d(id, taken, owed)',
         alias: 'd',
         table: 'earned_reward',
         key: { id: 'd.id' },
       })} where e.client_id = $1 and e.ctid = d.row_ctid`,
    [
      uow.clientId,
      amounts.map(({ id }) => id),
      amounts.map(({ taken }) => amountToDecimal(taken)),
      amounts.map(({ owed }) => amountToDecimal(owed)),
    ],
  );
}
