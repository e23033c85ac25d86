import { LIVE_ACCOUNTS } from '../accounts/accounts-where.ts';
import { MERGED_ACCOUNTS } from '../accounts/resolving/aliases.queries.ts';
import { type LevelTrack, periodsOfTrack } from '../engine/levels/level-track.ts';
import { followsRewards } from '../engine/statistics/statistic-value.ts';
import { amountToDecimal } from '../kernel/amount.ts';
import type { Difference } from '../kernel/difference.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { ownValuesOfPeriods } from '../statistics/values/statistic-sql.ts';
import { loadTracks } from './load-tracks.ts';

/**
 * Recomputes the client's stored levels from the values of their statistics: every event decides about all levels, so a stored state is never
 * behind the values. The journal recomputes the paid levels. Tracks that were changed are left out, because their states may still be those
 * of earlier thresholds; so are accounts with which others were merged.
 */
export async function verifyLevels(uow: UnitOfWork, now: Date): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const track of await loadTracks(uow))
    if (track.version === 1) differences.push(...(await verifyTrack(uow, track, now)));
  return differences;
}

/** SQL for the journal: the tracks of client `$1`, with their levels in JSON. */
export const EXISTING_TRACKS = '(select id, levels, version, created_at from level_track where client_id = $1)';

/** SQL for the journal: the paid levels of the accounts of client `$1`. */
export const PAID_LEVELS = '(select account_id, track_id, paid from account_level where client_id = $1)';

/** SQL of the id of a level in a difference. @param of the alias of the table with the ids */
export const levelId = (of: string) => `concat_ws(' ', ${of}.account_id, ${of}.track_id)`;

async function verifyTrack(uow: UnitOfWork, track: LevelTrack, now: Date): Promise<Difference[]> {
  const { current, previous } = periodsOfTrack(track, now.getTime());
  const numberOf = (value: string) => `coalesce(width_bucket(${value}, $4::numeric[]), 0)`;
  // The value of LAST may rise by a reversal, and that of POINTS by a chest: neither decides about a level.
  const { aggregation, source } = track.statistic;
  const risesByEvents = `${aggregation !== 'LAST' && !followsRewards[source]}`;
  return uow.query<Difference>(
    `select d.subject, ${levelId('l')} as id, d.stored, d.recomputed
       from account_level l join ${LIVE_ACCOUNTS} o on o.id = l.account_id
       left join ${ownValuesOfPeriods('$3', '$5::int[]')} v on v.account_id = l.account_id
      cross join lateral (
        select ${numberOf('l.held_value')} as held, coalesce(array_position($6::text[], l.code), 0) as announced
      ) n
      cross join lateral (
        select ($6::text[])[1:greatest(n.held, n.announced)] as reached,
               case when l.is_warned or $8::int is null then l.review_at else l.review_at - $8::int * interval '24 hours' end as next_step_at
      ) r
      cross join lateral (values
        ('account_level.held_value', coalesce(l.held_value::text, 'none'), v.value::text, ${numberOf('v.value')} > n.held and ${risesByEvents}),
        ('account_level.code', coalesce(l.code, 'none'), r.reached[n.held], n.held > n.announced and v.value is not null and ${risesByEvents}),
        ('account_level.paid', array_to_string(l.paid, ' '), array_to_string(r.reached, ' '), not l.paid @> r.reached),
        ('account_level.review_at', l.review_at::text, 'never', $7::boolean and l.review_at is not null),
        ('account_level.next_step_at', coalesce(l.next_step_at::text, 'never'), coalesce(r.next_step_at::text, 'never'),
         l.next_step_at is distinct from r.next_step_at)
      ) as d(subject, stored, recomputed, is_wrong)
      where l.client_id = $1 and l.track_id = $2 and d.is_wrong
        and not exists (select from ${MERGED_ACCOUNTS} m where m.merged_into = l.account_id)
      order by 2, 1`,
    [
      uow.clientId,
      track.id,
      track.statistic.id,
      track.levels.map(({ threshold }) => amountToDecimal(threshold)),
      [current.period, ...(previous === undefined ? [] : [previous.period])],
      track.levels.map(({ code }) => code),
      track.downgrade === 'NEVER',
      track.atRiskDays ?? null,
    ],
  );
}
