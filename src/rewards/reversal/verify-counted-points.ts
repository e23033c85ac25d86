import type { Difference } from '../../kernel/difference.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { COUNTED_POINTS } from '../../statistics/verify-statistics.ts';

/** Recomputes what the client's statistics of POINTS have counted of each earned reward: its points, less those that reversals took back. */
export function verifyCountedPoints(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'account_statistic_event.value' as subject, concat_ws(' ', c.earned_reward_id, c.statistic_id) as id,
            c.value::text as stored, d.recomputed::text
       from ${COUNTED_POINTS} c
       join earned_reward e on e.client_id = $1 and e.id = c.earned_reward_id
      cross join lateral (select e.amount - coalesce(e.amount_reversed, 0) as recomputed) d
      where c.value <> d.recomputed order by 2`,
    [uow.clientId],
  );
}
