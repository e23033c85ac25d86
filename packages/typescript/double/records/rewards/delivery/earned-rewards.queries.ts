import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import type { EarnedReward } from '../../../../../../src/rewards/delivery/earned-reward.ts';
import { driverRow, type Row, storeOf } from '../../../store.ts';

export async function queuePositions(uow: UnitOfWork, deliveries: readonly EarnedReward[]): Promise<(number | null)[]> {
  let last = Math.max(
    0,
    ...storeOf(uow)
      .rows('earned_reward')
      .map(({ queuePosition }) => (queuePosition as number | null) ?? 0),
  );
  return deliveries.map(({ status }) => (status === 'PENDING_STOCK' ? (last += 1) : null));
}

export async function rowsOfAccounts(uow: UnitOfWork, accountIds: readonly string[]): Promise<Row[]> {
  return storeOf(uow)
    .rows('earned_reward')
    .filter(({ accountId }) => accountIds.includes(accountId as string))
    .toSorted(latestFirst)
    .map(driverRow);
}

export async function waitingOfAccount(
  uow: UnitOfWork,
  accountId: string,
): Promise<{ id: string; productId: string }[]> {
  const rows = storeOf(uow).rows('earned_reward');
  return rows
    .filter((row) => row['accountId'] === accountId && row['status'] === 'PENDING_STOCK')
    .map(({ id, productId }) => ({ id, productId }));
}

/** Units of work never run at the same time, so all still wait. */
export async function waitingAmong<T>(_: UnitOfWork, queue: readonly T[]): Promise<readonly T[]> {
  return queue;
}

export async function dropFromQueue(uow: UnitOfWork, rewards: readonly Pick<EarnedReward, 'id'>[]): Promise<void> {
  for (const { id } of rewards) storeOf(uow).remove('earned_reward', id);
}

function latestFirst(a: Row, b: Row): number {
  const byTime = (b['createdAt'] as Date).getTime() - (a['createdAt'] as Date).getTime();
  return byTime === 0 ? (a['id'] < b['id'] ? 1 : -1) : byTime;
}
