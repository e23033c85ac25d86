import { accountsAfter, countPresent } from '../../accounts/count-accounts.ts';
import { clientsWith } from '../../clients/client-ids.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import { MINUTE } from '../../kernel/time/timestamp.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { badgesToCount, IS_BADGE, ownersAfter, saveOwnerCount } from './badges.queries.ts';

/** Rows of one transaction. */
const BATCH = 2_000;

/** The age at which figures are counted again, so that with the pause of the job and the work they are at most an hour old. */
const COUNTED_AGAIN_MS = 30 * MINUTE;

/**
 * A scheduled job that counts who has the badges of a client. It reads in small transactions and stores each badge when it is counted, so
 * that it may be stopped at any point. Accounts that were deleted do not count.
 * @returns the number of counted badges
 */
export async function countBadgeOwners(db: Database, clientId: string, now: Date): Promise<number> {
  const badges = await db.unitOfWork(clientId, (uow) => badgesToCount(uow, countedBefore(now)));
  if (badges.length === 0) return 0;
  const accounts = await countInSteps(db, clientId, accountsAfter);
  for (const rewardId of badges) {
    const owners = await countInSteps(db, clientId, async (uow, after, limit) => {
      const ids = await ownersAfter(uow, rewardId, after, limit);
      return { rows: ids.length, count: await countPresent(uow, [...new Set(ids)]), last: ids.at(-1) };
    });
    await db.unitOfWork(clientId, (uow) => saveOwnerCount(uow, rewardId, { owners, accounts, countedAt: now }));
  }
  return badges.length;
}

/** The clients with badges to count, in a system unit of work. */
export function clientsWithUncountedBadges(uow: UnitOfWork, now: Date): Promise<string[]> {
  const due = `select from reward where client_id = c.id and ${IS_BADGE} and (counted_at is null or counted_at < $1) limit 1`;
  return clientsWith(uow, due, [countedBefore(now)]);
}

function countedBefore(now: Date): Date {
  return new Date(now.getTime() - COUNTED_AGAIN_MS);
}

/** The rows of a step, those of them that count, and the last id, from which the next step continues. */
type Step = { readonly rows: number; readonly count: number; readonly last: string | undefined };

async function countInSteps(
  db: Database,
  clientId: string,
  step: (uow: UnitOfWork, after: string, limit: number) => Promise<Step>,
): Promise<number> {
  let [count, after] = [0, NIL_UUID as string];
  for (;;) {
    const done = await db.unitOfWork(clientId, (uow) => step(uow, after, BATCH));
    count += done.count;
    if (done.rows < BATCH) return count;
    after = done.last!;
  }
}
