import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/persistence/database.ts';

/** The contents of a catalogue that is too large to be activated today. */
export type LargeCatalogue = {
  readonly campaigns: number;
  readonly missionsPerCampaign: number;
  readonly programmaticCode: string;
  /** Events that complete a mission; by default so many that no account reaches it. */
  readonly target?: number;
};

/**
 * Writes ACTIVE campaigns for everyone, directly to the tables: a catalogue from before the limit. All missions count one code, which must
 * exist.
 */
export async function writeLargeCatalogue(
  db: Database,
  clientId: string,
  { campaigns, missionsPerCampaign, programmaticCode, target = 1_000_000 }: LargeCatalogue,
): Promise<void> {
  const [audienceId, rewardId] = [newId(), newId()];
  const campaignIds = Array.from({ length: campaigns }, () => newId());
  const missions = campaignIds.flatMap((campaignId) =>
    Array.from({ length: missionsPerCampaign }, (_, position) => ({ id: newId(), campaignId, position })),
  );
  await db.unitOfWork(clientId, async (uow) => {
    await uow.query(`insert into audience (client_id, id, name, kind) values ($1, $2, 'Everybody', 'EVERYONE')`, [
      clientId,
      audienceId,
    ]);
    await uow.query(`insert into reward (client_id, id, name, type, amount) values ($1, $2, 'Points', 'POINTS', 10)`, [
      clientId,
      rewardId,
    ]);
    await uow.query(
      `insert into campaign (client_id, id, name, status, audience_ids, reward_ids, claim_policy, activated_at)
       select $1, id, 'Campaign ' || id, 'ACTIVE', array[$3::uuid], array[$4::uuid], 'AUTOMATIC', now()
         from unnest($2::uuid[]) as c(id)`,
      [clientId, campaignIds, audienceId, rewardId],
    );
    await uow.query(
      `insert into mission (client_id, id, campaign_id, type, name, programmatic_code, target, position, reward_ids)
       select $1, id, campaign_id, 'MISSION', 'Mission ' || position, $5, $6, position, '{}'
         from unnest($2::uuid[], $3::uuid[], $4::int[]) as m(id, campaign_id, position)`,
      [
        clientId,
        missions.map(({ id }) => id),
        missions.map(({ campaignId }) => campaignId),
        missions.map(({ position }) => position),
        programmaticCode,
        target,
      ],
    );
    await uow.query(`update client set catalog_version = catalog_version + 1 where id = $1`, [clientId]);
  });
}
