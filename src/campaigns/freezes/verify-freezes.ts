import { LIVE_ACCOUNTS } from '../../accounts/accounts-where.ts';
import { MERGED_ACCOUNTS } from '../../accounts/resolving/aliases.queries.ts';
import type { Difference } from '../../kernel/difference.ts';
import { spentOn } from '../../loyalty/spending/spent-points.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { FREEZE_SOURCE } from './buy-streak-freezes.ts';

/**
 * Recomputes the client's ledgers of streak freezes. The number that an account owns is the sum of its lines, which is never below 0; each
 * line belongs to a streak or to a spending of points.
 */
export async function verifyFreezes(uow: UnitOfWork): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const sql of [SIGNS, SUMS, USES, MILESTONES, STREAKS, PRICES])
    found.push(...(await uow.query<Difference>(sql, [uow.clientId])));
  return found;
}

/** The sign of a line follows from its type; a use takes one freeze, and its return gives it back. */
const SIGNS = `
  select 'streak_freeze.amount' as subject, f.id, f.amount::text as stored, d.recomputed::text
    from streak_freeze f
   cross join lateral (select case when f.type = 'USE' then -1 when f.type = 'RETURN' then 1
                                   when f.type = 'REVERSE' then -abs(f.amount) else abs(f.amount) end as recomputed) d
   where f.client_id = $1 and f.amount <> d.recomputed order by 2`;

/** The freezes of an account after all lines of a moment. */
const SUMS = `
  select 'streak_freeze.owned' as subject, account_id as id, min(owned)::text as stored, '0' as recomputed
    from (select account_id, sum(amount) over (partition by account_id order by at) as owned
            from streak_freeze where client_id = $1) sums
   where owned < 0 group by account_id order by 2`;

/** A period is bridged once. Accounts that became one may both have bridged it. */
const USES = `
  select 'streak_freeze.uses' as subject, concat_ws(' ', f.account_id, f.mission_id, f.period) as id,
         (-sum(f.amount))::text as stored, case when sum(f.amount) < 0 then '1' else '0' end as recomputed
    from streak_freeze f
   where f.client_id = $1 and f.type in ('USE', 'RETURN')
     and not exists (select from ${MERGED_ACCOUNTS} m where m.merged_into = f.account_id)
   group by f.account_id, f.mission_id, f.period having sum(f.amount) not in (-1, 0) order by 2`;

/** No more freezes of a milestone are taken back than it gave. */
const MILESTONES = `
  select 'streak_freeze.milestone' as subject, concat_ws(' ', account_id, mission_id, milestone) as id,
         sum(amount)::text as stored, '0' as recomputed
    from streak_freeze where client_id = $1 and type in ('EARN', 'REVERSE')
   group by account_id, mission_id, milestone having sum(amount) < 0 order by 2`;

/** A use, a return and a milestone belong to a streak that the account has begun. */
const STREAKS = `
  select 'streak_freeze.mission_id' as subject, f.id, coalesce(f.mission_id::text, 'none') as stored, 'a streak of the account' as recomputed
    from streak_freeze f join ${LIVE_ACCOUNTS} o on o.id = f.account_id
   where f.client_id = $1 and f.type in ('USE', 'RETURN', 'EARN', 'REVERSE')
     and not exists (select from assignment a
                      where a.client_id = $1 and a.account_id = f.account_id and a.mission_id = f.mission_id)
   order by 2`;

/** The price of a purchase was spent. */
const PRICES = `
  select 'streak_freeze.points' as subject, f.id, coalesce(f.points, 0)::text as stored, coalesce(p.points, 0)::text as recomputed
    from streak_freeze f left join ${spentOn(FREEZE_SOURCE)} p on p.source_id = f.id::text
   where f.client_id = $1 and f.type = 'BUY' and coalesce(f.points, 0) <> coalesce(p.points, 0) order by 2`;
