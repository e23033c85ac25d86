import { type Amount, amountToDecimal } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** The assignments of one mission in the order of their accounts, a few in each call. */
export type ReachedSearch = {
  readonly missionId: string;
  readonly target: Amount;
  /** The last account of the call before. */
  readonly after: string;
};

/** Rows that one search reads: an index range of a few milliseconds. */
const SEARCHED = 2_000;

/**
 * The next accounts whose progress has reached a target that they have not completed, and the account at which the search continues;
 * undefined after the last one.
 * @param most accounts of one answer
 */
export async function nextReached(
  uow: UnitOfWork,
  { missionId, target, after }: ReachedSearch,
  most: number,
): Promise<{ readonly accountIds: readonly string[]; readonly last: string | undefined }> {
  const rows = await uow.query<{ account_id: string; has_reached: boolean }>(
    `select account_id, period_key = '' and status = 'ACTIVE' and progress >= $4::numeric as has_reached
       from assignment where client_id = $1 and mission_id = $2 and account_id > $3
      order by account_id limit ${SEARCHED}`,
    [uow.clientId, missionId, after, amountToDecimal(target)],
  );
  const reached = rows.flatMap(({ account_id: id, has_reached: hasReached }) => (hasReached ? [id] : []));
  const accountIds = reached.slice(0, most);
  return { accountIds, last: reached.length > most ? accountIds.at(-1) : rows.at(-1)?.account_id };
}
