import { type Amount, amountToDecimal } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** The number of accounts whose progress has reached a target, and that have not completed the mission. */
export async function countReached(uow: UnitOfWork, missionId: string, target: Amount): Promise<number> {
  const [row] = await uow.query<{ count: number }>(
    `select count(*)::int as count from assignment
      where client_id = $1 and mission_id = $2 and period_key = '' and status = 'ACTIVE' and progress >= $3::numeric`,
    [uow.clientId, missionId, amountToDecimal(target)],
  );
  return row!.count;
}
