import type { LevelTrack } from '../engine/levels/level-track.ts';
import type { ReadStatistic } from '../engine/statistics/statistic-values.ts';
import { amountFromNumber } from '../kernel/amount.ts';
import type { DefinedTrack } from './tracks/level-tracks.queries.ts';

/** The rules of a track. @param statistic the one that the track names */
export function trackPlan(
  { id, code, levels, downgrade, holdDays, atRiskDays }: DefinedTrack,
  statistic: ReadStatistic,
): LevelTrack {
  return {
    ...{ id, code, statistic, downgrade },
    levels: levels.map(({ threshold, imageUrl, ...level }) => {
      return { ...level, imageUrl, threshold: amountFromNumber(threshold, 'threshold') };
    }),
    holdDays: holdDays ?? undefined,
    atRiskDays: atRiskDays ?? undefined,
  };
}

/** The rules of all tracks whose statistics are known, by id. @param statistics by code */
export function trackPlans(
  tracks: readonly DefinedTrack[],
  statistics: ReadonlyMap<string, ReadStatistic>,
): Map<string, LevelTrack> {
  return new Map(
    tracks.flatMap((track) => {
      const statistic = statistics.get(track.statisticCode);
      return statistic === undefined ? [] : [[track.id, trackPlan(track, statistic)] as const];
    }),
  );
}
