import type { ActiveMissions } from '../../../../../../src/campaigns/campaigns/active-missions.ts';
import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import { type Row, storeOf } from '../../../store.ts';

export async function activeMissions(uow: UnitOfWork, codes: Iterable<string>, now: Date): Promise<ActiveMissions> {
  const wanted = new Set(codes);
  const isOpen = ({ endsAt }: Row) => endsAt === null || endsAt > now;
  const campaigns = storeOf(uow)
    .rows('campaign')
    .filter((row) => row['status'] === 'ACTIVE' && isOpen(row));
  const ids = new Set([null, ...campaigns.map(({ id }) => id as string)]);
  const counts = new Map<string, number>();
  for (const row of storeOf(uow).rows('mission')) {
    const code = row['programmaticCode'] as string;
    if (row['active'] && isOpen(row) && wanted.has(code) && ids.has(row['campaignId'] as string | null))
      counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
