import type { UnitOfWork } from '../../persistence/database.ts';
import { CAUSES_MAX, type AttentionItem } from '../../activity/causes.ts';
import { phaseSql } from '../campaigns/campaign-phase.ts';

const DAY_MS = 86_400_000;

/** Campaigns that end within this time are reported. */
const SOON_MS = 3 * DAY_MS;

/** Active campaigns that end soon, the first to end first. */
export async function endingCampaigns(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  const rows = await uow.query<{ id: string; name: string; ends_at: Date }>(
    `select id, name, ends_at from campaign
      where client_id = $1 and status = 'ACTIVE' and ends_at <= $2 and ${phaseSql} = 'ACTIVE'
      order by ends_at, id limit ${CAUSES_MAX}`,
    [uow.clientId, new Date(now.getTime() + SOON_MS)],
  );
  return rows.map(({ id, name, ends_at: until }) => ({
    about: id,
    subjectId: id,
    subject: name,
    until,
    severity: 'WARNING',
  }));
}
