import { clientZones } from '../clients/client-zones.ts';
import type { LevelTrack } from '../engine/levels/level-track.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { statisticDefinitions } from '../statistics/definitions/statistic-definitions.queries.ts';
import { readStatistic } from '../statistics/statistic-plans.ts';
import { trackPlan } from './level-plans.ts';
import { levelTracks } from './tracks/level-tracks.queries.ts';

/** A track with its name for people. The version of one that was never changed is 1. */
export type NamedTrackPlan = LevelTrack & { readonly name: string; readonly version: number };

/** The rules of all tracks of the client, by code. */
export async function loadTracks(uow: UnitOfWork): Promise<NamedTrackPlan[]> {
  const [tracks, definitions, calendar] = await Promise.all([
    levelTracks(uow),
    statisticDefinitions(uow),
    clientZones(uow),
  ]);
  const statistics = new Map(definitions.map((definition) => [definition.code, readStatistic(definition, calendar)]));
  return tracks.flatMap((track) => {
    const statistic = statistics.get(track.statisticCode);
    return statistic === undefined
      ? []
      : [{ ...trackPlan(track, statistic), name: track.name, version: track.version }];
  });
}
