import { amountFromDecimal } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { CampaignEntity } from '../campaigns/campaign.entity.ts';
import type { CatalogMission } from './client-catalog.ts';

/** Rows of one page: the driver makes objects of them without a pause, in two milliseconds. */
const PAGE = 250;

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The columns of a campaign that rules and reads need. */
export type CatalogCampaign = Pick<
  CampaignEntity,
  'id' | 'status' | 'audienceIds' | 'claimPolicy' | 'rewardIds' | 'startsAt' | 'endsAt'
>;

/** The campaigns of a client in any state, by pages: others have their turn between two. */
export async function* campaignPages(uow: UnitOfWork): AsyncGenerator<CatalogCampaign[]> {
  yield* pages((after) =>
    uow.query<CatalogCampaign>(
      `select id, status, audience_ids as "audienceIds", claim_policy as "claimPolicy", reward_ids as "rewardIds",
              starts_at as "startsAt", ends_at as "endsAt"
         from campaign where client_id = $1 and id > $2 order by id limit $3`,
      [uow.clientId, after, PAGE],
    ),
  );
}

type MissionRow = Omit<CatalogMission, 'target' | 'perPeriodTarget'> & {
  readonly target: string;
  readonly perPeriodTarget: string | null;
};

/** The missions of a client that are not switched off, by pages: 5,000 in one piece held the event loop for 150 ms. */
export async function* missionPages(uow: UnitOfWork): AsyncGenerator<CatalogMission[]> {
  const rows = pages((after) =>
    uow.query<MissionRow>(
      `select client_id as "clientId", id, campaign_id as "campaignId", audience_id as "audienceId", type, name,
              description, image_url as "imageUrl", programmatic_code as "programmaticCode", target,
              reward_ids as "rewardIds", conditions, period, per_period_target as "perPeriodTarget",
              grace_periods as "gracePeriods", occurrences, starts_at as "startsAt", ends_at as "endsAt",
              duration_days as "durationDays", position
         from mission where client_id = $1 and active and id > $2 order by id limit $3`,
      [uow.clientId, after, PAGE],
    ),
  );
  for await (const page of rows) yield page.map(missionOf);
}

async function* pages<Row extends { readonly id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = FIRST_ID; ;) {
    const page = await read(after);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

function missionOf(row: MissionRow): CatalogMission {
  const perPeriodTarget = row.perPeriodTarget === null ? null : amountFromDecimal(row.perPeriodTarget);
  return { ...row, target: amountFromDecimal(row.target), perPeriodTarget };
}
