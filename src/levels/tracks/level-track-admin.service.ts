import type { LevelTrackAdminService } from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createLevelTrack } from './create-level-track.ts';
import type { UsesOfNames } from '../../statistics/definitions/delete-statistic-definition.ts';
import { deleteLevelTrack } from './delete-level-track.ts';
import { getLevelTrack } from './get-level-track.ts';
import type { RewardCheck } from './level-track-draft.ts';
import { listLevelTracks } from './list-level-tracks.ts';
import { previewLevelTrack } from './preview-level-track.ts';
import { updateLevelTrack } from './update-level-track.ts';

/** The reads of modules above. */
type Readers = { readonly requireRewards: RewardCheck; readonly usesOfNames: UsesOfNames };

/** The operations on one client's level tracks. */
export function levelTrackAdminService({ requireRewards, usesOfNames }: Readers) {
  return {
    createLevelTrack: (call, request) => createLevelTrack(call, request, requireRewards),
    previewLevelTrack: (call, request) => previewLevelTrack(call, request, requireRewards),
    listLevelTracks,
    getLevelTrack,
    updateLevelTrack: (call, request) => updateLevelTrack(call, request, requireRewards),
    deleteLevelTrack: (call, request) => deleteLevelTrack(call, request, usesOfNames),
  } satisfies Handlers<typeof LevelTrackAdminService>;
}
