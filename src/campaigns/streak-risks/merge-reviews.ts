import type { Merging } from '../../persistence/subjects/account-part.ts';
import { unitedRows } from '../../persistence/subjects/merged-rows.ts';
import { streakRiskTable } from './streak-risk.entity.ts';
import { finishReviews, reviewsOf } from './streak-risks.queries.ts';

type Joins = Extract<Merging, { kind: 'joins' }>;

const united = unitedRows(streakRiskTable, {
  key: ['missionId'],
  onBoth:
    'next_at = least(t.next_at, excluded.next_at), warned_period = greatest(t.warned_period, excluded.warned_period)',
});

/** The merging of reviews: a review is no change that hinders an undo, and a period that was announced since is not announced twice. */
export const mergedReviews: Joins = {
  ...united,
  async separate(uow, pair, kept) {
    const since = new Map((await reviewsOf(uow, pair.into)).map((review) => [review.missionId, review.warnedPeriod]));
    await united.separate(uow, pair, kept);
    const own = await reviewsOf(uow, pair.into);
    const warned = own.flatMap((review) => {
      const later = since.get(review.missionId) ?? -Infinity;
      return later > (review.warnedPeriod ?? -Infinity) ? [{ ...review, warnedPeriod: later }] : [];
    });
    await finishReviews(uow, warned);
  },
};
