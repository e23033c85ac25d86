import { LIVE_ACCOUNTS } from '../accounts/accounts-where.ts';
import { MERGED_ACCOUNTS } from '../accounts/resolving/aliases.queries.ts';
import type { Difference } from '../kernel/difference.ts';
import { EXISTING_TRACKS, levelId, PAID_LEVELS } from '../levels/verify-levels.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { isTooLarge } from './verify-statistics.ts';

/**
 * Recomputes the paid levels of the client's accounts from those that the journal has announced, if it is not too large. An announced level
 * is paid. All levels up to the highest of them are, and no other, if the track was never changed and the journal has all of its events.
 */
export async function verifyPaidLevels(uow: UnitOfWork): Promise<Difference[]> {
  if (await isTooLarge(uow)) return [];
  return uow.query<Difference>(
    `with moves as (
       select coalesce(m.merged_into, a.account_id) as account_id, (t.move ->> 0)::uuid as track_id,
              array_agg(distinct (t.move ->> 2) collate "C") as codes
         from journal_batch b
        cross join lateral unnest(b.account_ids) with ordinality a(account_id, entry)
        cross join lateral json_array_elements(b.entries -> (a.entry - 1)::int -> 6 -> 'l') t(move)
         left join ${MERGED_ACCOUNTS} m on m.id = a.account_id
        where b.client_id = $1 and json_typeof(t.move -> 2) = 'string' group by 1, 2
     ), paid as (
       select account_id, track_id, coalesce(l.paid, '{}') as paid, coalesce(m.codes, '{}') as announced
         from ${PAID_LEVELS} l full join moves m using (account_id, track_id)
     )
     select 'account_level.paid' as subject, ${levelId('p')} as id, array_to_string(p.paid, ' ') as stored,
            array_to_string(d.recomputed, ' ') as recomputed
       from paid p join ${LIVE_ACCOUNTS} o on o.id = p.account_id join ${EXISTING_TRACKS} f on f.id = p.track_id
      cross join lateral (
        select array(select e.level ->> 'code' from jsonb_array_elements(f.levels) with ordinality e(level, number)
                      where e.number <= (select max(a.number) from jsonb_array_elements(f.levels) with ordinality a(level, number)
                                          where a.level ->> 'code' = any(p.announced)) order by e.number) as reached,
               f.version = 1 and f.created_at >=
                 (select date_trunc('day', min(recorded_at), 'UTC') from journal_batch where client_id = $1) as is_whole
      ) r
      cross join lateral (select case when r.is_whole then r.reached else p.announced end as recomputed) d
      where not p.paid @> d.recomputed or (r.is_whole and not p.paid <@ d.recomputed)
      order by 2`,
    [uow.clientId],
  );
}
