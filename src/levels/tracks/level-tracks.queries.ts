import { LockMode } from '@mikro-orm/core';
import { statisticName } from '../../engine/statistics/statistic-variables.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { LEVEL_TRACK } from './level-track-message.ts';
import { type LevelTrackEntity, levelTrackTable } from './level-track.entity.ts';

/** A track as it is read. */
export type DefinedTrack = RowOf<typeof LEVEL_TRACK>;

/** All tracks of the client, by code. */
export function levelTracks(uow: UnitOfWork): Promise<DefinedTrack[]> {
  return uow.query<DefinedTrack>(`select ${LEVEL_TRACK} from level_track where client_id = $1 order by code`, [
    uow.clientId,
  ]);
}

/** The tracks over statistics that are named as in expressions, in words. */
export async function tracksOfStatistics(uow: UnitOfWork, names: readonly string[]): Promise<Uses> {
  const tracks = await levelTracks(uow);
  return tracks
    .filter(({ statisticCode }) => names.includes(statisticName(statisticCode)))
    .map(({ code }) => sentence`level track '${code}'`);
}

/** The tracks with a level that gives a reward, in words. */
export async function tracksWithReward(uow: UnitOfWork, rewardId: string): Promise<Uses> {
  const tracks = await levelTracks(uow);
  return tracks
    .filter(({ levels }) => levels.some(({ rewardIds }) => rewardIds.includes(rewardId)))
    .map(({ code }) => sentence`level track '${code}'`);
}

/**
 * One track; `forChange` locks it until the transaction ends.
 * @throws DomainError `LEVEL_TRACK_NOT_FOUND`
 */
export async function requireLevelTrack(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<LevelTrackEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const lock = forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const track = await uow.em.findOne(levelTrackTable, key, lock);
  if (track) return track;
  throw new DomainError('LEVEL_TRACK_NOT_FOUND', sentence`There is no level track ${id}.`);
}
