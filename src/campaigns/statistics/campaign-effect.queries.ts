import type { AccountsSql } from '../../audiences/members/members.queries.ts';
import type { CampaignPlan } from '../../engine/campaign-plan.ts';
import type { PeriodNumber } from '../../engine/time/period.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { addedValueSql } from '../../statistics/values/statistic-sql.ts';
import type { GroupSums } from './measured-effect.ts';

/** The values of a statistic in some periods. */
export type MeasuredValues = {
  readonly statisticId: string;
  readonly first: PeriodNumber;
  readonly last: PeriodNumber;
};

const NOBODY: GroupSums = { accounts: 0, sum: 0, squares: 0 };

/**
 * Adds up the values of the accounts of a campaign, apart for those that it holds back. It reads all accounts of the client: 200,000 took
 * PostgreSQL two seconds.
 */
export async function sumGroups(
  uow: UnitOfWork,
  campaign: Pick<CampaignPlan, 'campaignId' | 'heldBackBelow'>,
  members: AccountsSql,
  { statisticId, first, last }: MeasuredValues,
): Promise<{ readonly offered: GroupSums; readonly heldBack: GroupSums }> {
  // The offset keeps PostgreSQL from looking up each value three times.
  const rows = await uow.queryOnce<GroupSums & { readonly held: boolean }>(
    `select held, count(*)::float8 as accounts, sum(value) as sum, sum(value * value) as squares
       from (select ${heldBackSql(campaign)} as held, coalesce(${addedValueSql(statisticId, first, last)}, 0)::float8 as value
               from ${members.sql} offset 0) v
      group by held`,
    [uow.clientId, ...members.values],
  );
  const groupOf = (isHeld: boolean) => rows.find(({ held }) => held === isHeld) ?? NOBODY;
  return { offered: groupOf(false), heldBack: groupOf(true) };
}

/** SQL of whether an account `a` is held back: the same rule as `isHeldBack`. */
function heldBackSql({ campaignId, heldBackBelow }: Pick<CampaignPlan, 'campaignId' | 'heldBackBelow'>): string {
  if (heldBackBelow === 0) return 'false';
  const digest = `sha256(convert_to('${campaignId}:' || a.id::text, 'UTF8'))`;
  return `('x' || encode(substring(${digest} for 4), 'hex'))::bit(32)::bigint * 100 < ${heldBackBelow}`;
}
