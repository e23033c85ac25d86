import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { LevelTrack_Downgrade as Downgrade, type LevelTrackSchema } from '../../../gen/laurel/v1/level_pb.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type LevelTrackEntity, levelTrackTable } from './level-track.entity.ts';

/** The columns of a track that reads show. */
export const LEVEL_TRACK = propertiesOf(levelTrackTable, [
  'id',
  'code',
  'name',
  'description',
  'statisticCode',
  'levels',
  'downgrade',
  'holdDays',
  'atRiskDays',
  'version',
  'createdAt',
  'updatedAt',
]);

/** The API message of a track. */
export function toLevelTrackMessage(
  track: PartOf<LevelTrackEntity, typeof LEVEL_TRACK>,
): MessageInitShape<typeof LevelTrackSchema> {
  const { id, code, name, description, statisticCode, levels, downgrade, holdDays, atRiskDays, version } = track;
  return {
    ...{ id, code, name, description, statisticCode, version },
    levels: levels.map((level) => ({ ...level, rewardIds: [...level.rewardIds] })),
    downgrade: Downgrade[downgrade],
    holdDays: holdDays ?? undefined,
    atRiskDays: atRiskDays ?? undefined,
    createdAt: timestampFromDate(track.createdAt),
    updatedAt: timestampFromDate(track.updatedAt),
  };
}
