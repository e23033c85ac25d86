import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import { storeOf } from '../../../store.ts';

export async function earnedAmong(uow: UnitOfWork): Promise<Set<string>> {
  const rows = storeOf(uow).rows('earned_reward');
  return new Set(rows.map(({ accountId, rewardId }) => `${accountId} ${rewardId}`));
}
