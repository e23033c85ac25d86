import type { UnitOfWork } from '../../persistence/database.ts';

/** The counts of a campaign for one day. */
export type CampaignDay = {
  /** The date in the client's zone, for example 2026-11-22. */
  readonly date: string;
  readonly started: number;
  readonly completed: number;
  readonly closed: number;
};

/**
 * Counts the accounts that began, completed and closed a campaign, for each of the last days until today. It reads the assignments of the
 * missions and the completions, which takes about as long as the funnel.
 */
export function countDays(
  uow: UnitOfWork,
  asked: {
    readonly campaignId: string;
    readonly missionIds: readonly string[];
    readonly timeZone: string;
    readonly days: number;
    readonly now: Date;
  },
): Promise<CampaignDay[]> {
  const { campaignId, missionIds, timeZone, days, now } = asked;
  return uow.query<CampaignDay>(
    `with day as (
       select generate_series(today - ($5::int - 1), today, interval '1 day')::date as date
         from (select ($6::timestamptz at time zone $4)::date as today) t),
     began as (
       select (first at time zone $4)::date as date, count(*) as count
         from (select min(started_at) as first from assignment
                where client_id = $1 and mission_id = any($3::uuid[]) group by account_id) f
        group by 1),
     completed as (
       select (completed_at at time zone $4)::date as date, count(*) as count from campaign_completion
        where client_id = $1 and campaign_id = $2 group by 1),
     closed as (
       select (closed_at at time zone $4)::date as date, count(*) as count from campaign_completion
        where client_id = $1 and campaign_id = $2 and closed_at is not null group by 1)
     select to_char(date, 'YYYY-MM-DD') as date, coalesce(began.count, 0)::int as started,
            coalesce(completed.count, 0)::int as completed, coalesce(closed.count, 0)::int as closed
       from day left join began using (date) left join completed using (date) left join closed using (date)
      order by day.date`,
    [uow.clientId, campaignId, missionIds, timeZone, days, now],
  );
}
