import { accountStateSql } from '../../accounts/accounts-where.ts';
import { hasAliasesSql } from '../../accounts/resolving/aliases.queries.ts';
import { HAS_ONE_ZONE } from '../../clients/client-zones.ts';
import { missionTypesWhere } from '../../engine/missions/mission-types.ts';
import type { Difference } from '../../kernel/difference.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { PAID_MILESTONES } from '../../rewards/delivery/paid-milestones.ts';

/**
 * Compares the runs of the client's streaks with their parts, and what milestones have paid with the runs. A settled run does not keep its
 * periods, and support may have restored it, so its length cannot be checked. All other rows are looked up by their keys: of tables that were
 * never analysed PostgreSQL expects a few rows, and would join each with each.
 */
export async function verifyStreaks(uow: UnitOfWork): Promise<Difference[]> {
  const types = missionTypesWhere(({ usesFreezes }) => usesFreezes);
  return [
    ...(await uow.query<Difference>(RUNS, [uow.clientId, types])),
    ...(await uow.query<Difference>(REWARDS, [uow.clientId])),
    ...(await uow.query<Difference>(FREEZES, [uow.clientId])),
  ];
}

/** SQL for whether an account of a row `a` has no row in a table. */
const hasNo = (from: 'streak_freeze' | 'vacation') =>
  `not exists (select from ${lookUpByKey({ select: '1', from, key: { account_id: 'a.account_id' } })} h)`;

/** SQL of the mission of a row. @param id SQL of its id */
const missionSql = (id: string) => lookUpByKey({ select: '*', from: 'mission', key: { id } });

/**
 * The parts of each run. `open` and `surplus` are computed as they are stored: in order, each period once, behind the settled run, and a
 * surplus only beyond a full period. The kept periods are cut into stretches where a gap has more periods than a run has grace periods, if
 * the run `is_plain`: nothing else can have bridged it. For others all kept periods are one stretch. `latest` and `longest` are the most
 * that the present run and the longest one can have. They bound the progress, unless a merge closed a past run. They bound the milestone of
 * plain runs only: a freeze may go to another streak after it has made a run long enough. OFFSET lets each state be looked up once.
 */
const RUNS = `
  select d.subject, concat_ws(' ', r.account_id, r.mission_id) as id, d.stored, d.recomputed
    from (
     select a.account_id, a.mission_id, a.status, a.progress, m.target, m.milestones, m.grace_periods, a.state -> 'streak' as streak,
            s.*, (coalesce(m.per_period_target, 1) * 10000)::bigint as goal, o.is_live and not ${hasAliasesSql('a.account_id')} as is_alone,
            m.campaign_id is null and o.is_unmoved and ${HAS_ONE_ZONE} and ${hasNo('streak_freeze')}
              and ${hasNo('vacation')} as is_unhelped,
            coalesce(m.conditions -> 'daysOfWeek', '[]') = '[]' as is_daily
       from assignment a cross join ${missionSql('a.mission_id')} m cross join ${accountStateSql('a.account_id')} o
      cross join lateral (
        select (a.state #>> '{streak,settled,current}')::int as current, (a.state #>> '{streak,settled,longest}')::int as longest,
               (a.state #>> '{streak,settled,freezesLeft}')::int as grace_left,
               (a.state #>> '{streak,settled,lastKept}')::int as last_kept,
               (a.state #>> '{streak,dropped}')::int as dropped, (a.state ->> 'milestone')::int as milestone,
               coalesce(a.state #> '{streak,open}', '[]') as open, coalesce(a.state #> '{streak,surplus}', '[]') as surplus
      ) s
      where a.client_id = $1 and m.type = any($2::text[])
      offset 0
    ) r
   cross join lateral (select r.is_alone and r.is_unhelped as is_plain) t
   cross join lateral (
     select coalesce(jsonb_agg(jsonb_build_array(p.period, least(p.sum, r.goal)) order by p.period) filter (where p.is_open), '[]') as open
       from (select (e.each ->> 0)::int as period, greatest(max((e.each ->> 1)::bigint), 0) as sum,
                    (e.each ->> 0)::int > all (array_remove(array[r.last_kept, r.dropped], null)) as is_open
               from jsonb_array_elements(r.open) e(each) group by 1, 3) p
   ) o
   cross join lateral (
     select coalesce(jsonb_agg(jsonb_build_array(p.period, p.sum) order by p.period), '[]') as surplus
       from (select (e.each ->> 0)::int as period, max((e.each ->> 1)::bigint) as sum
               from jsonb_array_elements(r.surplus) e(each) group by 1) p
      where p.sum > 0 and r.open @> jsonb_build_array(jsonb_build_array(p.period, r.goal))
   ) e
   cross join lateral (
     select coalesce((array_agg(s.length order by s.number desc))[1], r.current) as latest, greatest(max(s.length), r.longest) as longest
       from (select k.number, count(*)::int + case k.number when 0 then r.current else 0 end as length
               from (select sum(coalesce(t.is_plain and r.is_daily and g.missed > g.bridged, false)::int) over (order by g.period) as number
                       from (select p.period, p.period - 1 - coalesce(lag(p.period) over w, r.last_kept) as missed,
                                    case when lag(p.period) over w is null then r.grace_left else r.grace_periods end as bridged
                               from (select (e.each ->> 0)::int as period from jsonb_array_elements(r.open) e(each)
                                      where (e.each ->> 1)::bigint >= r.goal) p window w as (order by p.period)) g) k
              group by k.number) s
   ) m
   cross join lateral (
     select max(l.length) as below, max(l.length) filter (where l.length <= m.longest) as reached
       from (select (g.given ->> 'length')::int as length from jsonb_array_elements(r.milestones) g(given)) l where l.length <= r.milestone
   ) g
   cross join lateral (select (case r.status when 'COMPLETED' then m.longest else m.latest end)::numeric(20, 4) as progress) b
   cross join lateral (values
     ('assignment.streak', 'none', 'a run', r.streak is null),
     ('assignment.current', r.current::text, '0', r.current < 0 or (r.last_kept is null and r.current > 0)),
     ('assignment.longest', r.longest::text, r.current::text, r.longest < r.current),
     ('assignment.grace_periods', r.grace_left::text, least(greatest(r.grace_left, 0), r.grace_periods)::text,
      r.grace_left not between 0 and r.grace_periods),
     ('assignment.open', r.open::text, o.open::text, r.open <> o.open),
     ('assignment.surplus', r.surplus::text, e.surplus::text, r.surplus <> e.surplus),
     ('assignment.dropped', r.dropped::text, 'none', r.dropped <= r.last_kept),
     ('assignment.status', r.status, case when r.progress = r.target then 'COMPLETED' else 'ACTIVE' end,
      (r.status = 'COMPLETED') <> (r.progress = r.target)),
     ('assignment.progress', r.progress::text, b.progress::text, r.is_alone and r.progress > b.progress),
     ('assignment.milestone', r.milestone::text, coalesce(g.below::text, 'none'), r.milestone is distinct from g.below),
     ('assignment.milestone', r.milestone::text, coalesce(g.reached::text, 'none'),
      t.is_plain and r.milestone = g.below and r.milestone > m.longest)
   ) as d(subject, stored, recomputed, is_wrong)
   where d.is_wrong order by 2, 1`;

/**
 * The milestone of a payment, and whether its run has reached it. After a reversal that is not known: the account may keep rewards of a
 * milestone that is lost, and gets the rest of one that pays more when it reaches it again.
 * @param paid SQL of a table `p` of the payments
 */
const paidBy = (paid: string) => `
    from ${paid} p
   cross join ${accountStateSql('p.account_id')} o
    left join ${lookUpByKey({
      select: 'id, state',
      from: 'assignment',
      key: { account_id: 'p.account_id', mission_id: 'p.mission_id', period_key: `''` },
    })} a on true
    left join lateral (
      select g.given from ${missionSql('p.mission_id')} m cross join lateral jsonb_array_elements(m.milestones) g(given)
       where (g.given ->> 'length')::int = p.milestone
    ) g on a.id is not null
   cross join lateral (
     select ${hasAliasesSql('p.account_id')} as is_merged, coalesce((a.state ->> 'reversed')::boolean, false) as is_reversed,
            p.milestone <= coalesce((a.state ->> 'milestone')::int, 0) as is_reached
   ) s`;

/** A milestone pays each of its rewards once per account, and only if the run reached it. Accounts that became one may both have had it. */
const REWARDS = `
  select 'earned_reward.milestone' as subject, concat_ws(' ', p.account_id, p.mission_id, p.milestone, p.reward_id) as id,
         p.paid::text as stored, d.recomputed::text
    ${paidBy(PAID_MILESTONES)}
   cross join lateral (
     select case when g.given is null or not g.given -> 'rewardIds' @> to_jsonb(p.reward_id) then 0
                 when s.is_merged or s.is_reversed then p.paid when s.is_reached then 1 else 0 end as recomputed
   ) d
   where o.is_live and p.paid > d.recomputed order by 2`;

/** A milestone gives its freezes once per account, less those that a reversal took. */
const FREEZES = `
  select 'streak_freeze.milestone' as subject, concat_ws(' ', p.account_id, p.mission_id, p.milestone) as id,
         p.paid::text as stored, d.recomputed::text
    ${paidBy(`(select account_id, mission_id, milestone, sum(amount)::int as paid
                 from streak_freeze where client_id = $1 and type in ('EARN', 'REVERSE') group by account_id, mission_id, milestone)`)}
   cross join lateral (select coalesce((g.given ->> 'freezes')::int, 0) as freezes) f
   cross join lateral (
     select case when s.is_merged and f.freezes > 0 then p.paid when s.is_reached or s.is_reversed then f.freezes else 0 end as recomputed
   ) d
   where o.is_live and p.paid > d.recomputed order by 2`;
