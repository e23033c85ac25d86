import type { Database } from '../persistence/database.ts';
import { numberBatches, selectUnnumbered } from './change-batch.queries.ts';
import { setNumber, tryToLockFeed } from './change-feed.queries.ts';

/** Batches in one transaction: some milliseconds of work. */
const BATCHES_MAX = 500;

/** The result of a round: `busy` if another process has the feed, `more` if it should go on at once. */
export type Numbered = 'busy' | 'more' | 'done';

/**
 * Gives numbers to committed batches of a client, without gaps, in the order of their positions. So a reader that has reached a number misses
 * no later commit.
 */
export function numberChanges(
  db: Pick<Database, 'unitOfWork'>,
  clientId: string,
  limit = BATCHES_MAX,
): Promise<Numbered> {
  return db.unitOfWork(clientId, async (uow) => {
    const first = await tryToLockFeed(uow);
    if (first === undefined) return 'busy';
    const waiting = await selectUnnumbered(uow, limit);
    if (waiting.length === 0) return 'done';
    let number = first;
    const batches = waiting.map(({ id, changes }) => ({ id, number: (number += changes) }));
    await Promise.all([numberBatches(uow, batches), setNumber(uow, number)]);
    return waiting.length === limit ? 'more' : 'done';
  });
}
