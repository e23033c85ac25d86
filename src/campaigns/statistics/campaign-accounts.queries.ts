import { pagedList } from '../../persistence/lists/list-page.ts';

/** How far an account is, by its id: in a mission, which has no `closed_at`, or in a campaign, which has no `started_at`. */
export type CampaignAccountRow = {
  readonly id: string;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly closed_at: Date | null;
};

/**
 * Without a join to the accounts, whose rows the caller reads by the ids of a page: where PostgreSQL has no statistics yet, it
 * joins each account with all that the mission has.
 */
const ACCOUNTS = {
  columns: 'id, started_at, completed_at, closed_at',
  // A UUIDv7 sorts by the time of its making.
  orderBy: ['id'],
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id'] },
  fields: { id: { kind: 'uuid', column: 'id' } },
} as const;

/** Of each account one row: what counts the periods of a mission, where there are some, and else the first of them. */
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

/** Accounts that began a mission without periods by page; narrow it to one `mission_id`. */
export const startedPage = ofMissions(`period_key = ''`);

/** The same of a mission whose periods have a row each. */
export const startedPeriodsPage = ofMissions(FIRST_PERIOD);

/** Accounts that completed a mission by page; narrow it to one `mission_id`. */
export const completedMissionPage = ofMissions(`period_key = '' and status = 'COMPLETED'`);

/** Accounts that completed a campaign by page; narrow it to one `campaign_id`. */
export const completedPage = ofCampaigns('true');

/** Accounts for which a campaign is closed by page; narrow it to one `campaign_id`. */
export const closedPage = ofCampaigns('closed_at is not null');
