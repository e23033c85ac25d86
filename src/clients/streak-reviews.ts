import type { UnitOfWork } from '../persistence/database.ts';

/** The value of `streakLooksMoved` with which housekeeping begins: an id before every account's. */
export const NO_REVIEWS_MOVED = '00000000-0000-0000-0000-000000000000';

/** SQL for whether the reviews of the runs of a client `c` are to be moved. */
export const HAS_REVIEWS_TO_MOVE = 'c.streak_looks_moved is not null';

/** The last account whose reviews were moved since the client's zone changed; undefined if none are to be moved. */
export async function reviewsMovedUpTo(uow: UnitOfWork): Promise<string | undefined> {
  const [row] = await uow.query<{ after: string | null }>(
    'select streak_looks_moved as after from client where id = $1 for no key update',
    [uow.clientId],
  );
  return row?.after ?? undefined;
}

/** Stores the last account whose reviews were moved. @param accountId undefined at the end */
export async function saveReviewsMovedUpTo(uow: UnitOfWork, accountId: string | undefined): Promise<void> {
  await uow.query('update client set streak_looks_moved = $2 where id = $1', [uow.clientId, accountId ?? null]);
}
