import { pagedList } from '../../persistence/lists/list-page.ts';

/** The progress of an account, by its id, in a mission (without `closed_at`) or in a campaign (without `started_at`). */
export type CampaignAccountRow = {
  readonly id: string;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly closed_at: Date | null;
};

/**
 * No join to the accounts: the caller reads their rows by the ids of a page. Without statistics PostgreSQL joins each account with all
 * assignments of the mission.
 */
const ACCOUNTS = {
  columns: 'id, started_at, completed_at, closed_at',
  // UUIDv7 ids sort by creation time.
  orderBy: ['id'],
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id'] },
  fields: { id: { kind: 'uuid', column: 'id' } },
} as const;

/** One row for each account and mission: the assignment with the lowest period key, which is the one of the whole routine if it exists. */
const FIRST_PERIOD = `s.period_key = (select min(p.period_key) from assignment p
   where p.client_id = s.client_id and p.account_id = s.account_id and p.mission_id = s.mission_id)`;

function ofMissions(condition: string) {
  return pagedList<CampaignAccountRow>({
    ...ACCOUNTS,
    from: `(select client_id, mission_id, account_id as id, started_at, completed_at, null::timestamptz as closed_at
              from assignment s where ${condition}) as reached`,
  });
}

function ofCampaigns(condition: string) {
  return pagedList<CampaignAccountRow>({
    ...ACCOUNTS,
    from: `(select client_id, campaign_id, account_id as id, null::timestamptz as started_at, completed_at, closed_at
              from campaign_completion where ${condition}) as reached`,
  });
}

/** Pages of accounts that began a mission without periods; narrow them to one `mission_id`. */
export const startedPage = ofMissions(`period_key = ''`);

/** Pages of accounts that began a mission with one row per period; narrow them to one `mission_id`. */
export const startedPeriodsPage = ofMissions(FIRST_PERIOD);

/** Pages of accounts that completed a mission, with `repeat` at least once; narrow them to one `mission_id`. */
export const completedMissionPage = ofMissions(`period_key = '' and completed_at is not null`);

/** Pages of accounts that completed a campaign; narrow them to one `campaign_id`. */
export const completedPage = ofCampaigns('true');

/** Pages of accounts for which a campaign is closed; narrow them to one `campaign_id`. */
export const closedPage = ofCampaigns('closed_at is not null');
