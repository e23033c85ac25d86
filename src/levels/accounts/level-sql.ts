import { type LevelTrack, periodsOfTrack } from '../../engine/levels/level-track.ts';
import type { Calendar } from '../../engine/time/calendar.ts';
import { amountToDecimal } from '../../kernel/amount.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { statisticSql } from '../../statistics/values/statistic-sql.ts';

/** SQL of the number of the level of an account `a`, 0 for none. A due review counts once housekeeping has carried it out. */
export function levelSql(track: LevelTrack, calendar: Calendar, now: Date): string {
  const { previous } = periodsOfTrack(track, now.getTime());
  const held = `(select l.held_value from ${lookUpByKey({
    select: 'held_value',
    from: 'account_level',
    key: { account_id: 'a.id', track_id: `'${track.id}'::uuid` },
  })} l)`;
  const values = [
    statisticSql(track.statistic, calendar, now),
    ...(previous === undefined ? [] : [statisticSql(track.statistic, calendar, new Date(previous.from))]),
    held,
  ];
  const thresholds = track.levels.map(({ threshold }) => amountToDecimal(threshold)).join(', ');
  return `coalesce(width_bucket(greatest(${values.join(', ')}), array[${thresholds}]::numeric[]), 0)::numeric`;
}
