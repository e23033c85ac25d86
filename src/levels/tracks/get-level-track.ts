import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetLevelTrackRequest,
  GetLevelTrackResponseSchema,
} from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toLevelTrackMessage } from './level-track-message.ts';
import { requireLevelTrack } from './level-tracks.queries.ts';

/** Returns one track: proto LevelTrackAdminService.GetLevelTrack. */
export function getLevelTrack(
  { db, principal }: Call,
  { id }: GetLevelTrackRequest,
): Promise<MessageInitShape<typeof GetLevelTrackResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    return { levelTrack: toLevelTrackMessage(await requireLevelTrack(uow, id)) };
  });
}
