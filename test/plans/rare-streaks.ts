import { mergedLedgers } from '../../src/campaigns/freezes/merge-freezes.ts';
import {
  freezeEntries,
  freezeLedgers,
  insertFreezeEntries,
} from '../../src/campaigns/freezes/streak-freezes.queries.ts';
import {
  accountsWithReviews,
  dueReviews,
  endReviews,
  finishReviews,
  reviewAgain,
  reviewsFor,
  reviewsOf,
  saveReviews,
} from '../../src/campaigns/streak-risks/streak-risks.queries.ts';
import {
  deleteVacations,
  insertVacations,
  saveLastDays,
  vacationsOf,
} from '../../src/campaigns/vacations/vacations.queries.ts';
import { streakSettings } from '../../src/clients/streak-settings.ts';
import { reviewsMovedUpTo, saveReviewsMovedUpTo } from '../../src/clients/streak-reviews.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';

/** Sends the statements of freezes and of streaks at risk, for a client without any. */
export async function sendStreaks(db: Database, clientId: string): Promise<void> {
  const [accountId, missionId] = [newId(), newId()];
  const now = new Date();
  const review = { accountId, missionId, nextAt: now };
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    streakSettings,
    (uow) => insertFreezeEntries(uow, [{ accountId, type: 'GRANT', amount: 1, at: now }], now),
    (uow) => freezeLedgers(uow, [accountId]),
    (uow) => freezeEntries(uow, accountId, { limit: 2, before: undefined }),
    (uow) => mergedLedgers.separate(uow, { from: newId(), into: accountId }, { moved: [], own: [] }),
    (uow) => saveReviews(uow, [review]),
    (uow) => dueReviews(uow, now, 1),
    (uow) => reviewsFor(uow, [review]),
    (uow) => finishReviews(uow, [{ ...review, warnedPeriod: 1 }]),
    (uow) => reviewAgain(uow, [accountId], now),
    (uow) => reviewsOf(uow, accountId),
    (uow) => accountsWithReviews(uow, accountId, 2),
    reviewsMovedUpTo,
    (uow) => saveReviewsMovedUpTo(uow, undefined),
    (uow) => endReviews(uow, [review]),
    (uow) => insertVacations(uow, accountId, [{ first: 20_000, last: 20_001 }], now),
    (uow) => vacationsOf(uow, [accountId]),
    (uow) => saveLastDays(uow, [{ id: newId(), first: 20_000, last: 20_002 }]),
    (uow) => deleteVacations(uow, [newId()]),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
}
