import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListLevelTracksRequest,
  ListLevelTracksResponseSchema,
} from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { DOWNGRADES } from '../../engine/levels/level-track.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { LEVEL_TRACK, toLevelTrackMessage } from './level-track-message.ts';
import type { DefinedTrack } from './level-tracks.queries.ts';

/** Lists the tracks by page, in the order of codes: proto LevelTrackAdminService.ListLevelTracks. */
export function listLevelTracks(
  { db, principal }: Call,
  request: ListLevelTracksRequest,
): Promise<MessageInitShape<typeof ListLevelTracksResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await trackPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toLevelTrackMessage(row)) };
  });
}

const trackPage = pagedList<DefinedTrack>({
  from: 'level_track',
  columns: LEVEL_TRACK,
  orderBy: ['code'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    code: { kind: 'text', column: 'code' },
    name: { kind: 'text', column: 'name' },
    statisticCode: { kind: 'text', column: 'statistic_code' },
    downgrade: { kind: 'enum', values: DOWNGRADES, column: 'downgrade' },
  },
  orderable: {
    code: { column: 'code', unique: true },
    name: { column: 'name' },
    statisticCode: { column: 'statistic_code' },
    createdAt: { column: 'created_at' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], words: ['code'], parts: ['name', 'code'] },
});
