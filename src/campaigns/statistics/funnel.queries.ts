import type { UnitOfWork } from '../../persistence/database.ts';
import type { MissionEntity } from '../missions/mission.entity.ts';

/** Accounts that began and that completed a mission. */
export type StepCount = { readonly started: number; readonly completed: number };

/**
 * The numbers of accounts that have started and completed some missions, by mission; a mission without assignments has no entry. Reads only
 * the assignments of these missions: a million take PostgreSQL about half a second.
 */
export async function countSteps(
  uow: UnitOfWork,
  missions: readonly Pick<MissionEntity, 'id'>[],
): Promise<Map<string, StepCount>> {
  const rows = await uow.query<StepCount & { missionId: string }>(
    // A ROUTINE has a row for each period of an account; the row without a period counts them and shows the completion.
    `select mission_id as "missionId", count(distinct account_id)::int as started,
            count(*) filter (where period_key = '' and completed_at is not null)::int as completed
       from assignment where client_id = $1 and mission_id = any($2::uuid[])
      group by mission_id`,
    [uow.clientId, missions.map(({ id }) => id)],
  );
  return new Map(rows.map(({ missionId, ...count }) => [missionId, count]));
}

/** The numbers of accounts that completed a campaign, and for which it is closed. */
export async function countCompletions(
  uow: UnitOfWork,
  campaignId: string,
): Promise<{ readonly completed: number; readonly claimed: number }> {
  const [row] = await uow.query<{ completed: number; claimed: number }>(
    `select count(*)::int as completed, count(closed_at)::int as claimed
       from campaign_completion where client_id = $1 and campaign_id = $2`,
    [uow.clientId, campaignId],
  );
  return row!;
}
