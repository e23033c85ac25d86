import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  LevelTrackAdminService,
  type UpdateLevelTrackRequest,
  type UpdateLevelTrackResponseSchema,
} from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { LevelTrackSchema } from '../../../gen/laurel/v1/level_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { contentOf, requireValidTrack, type RewardCheck } from './level-track-draft.ts';
import { toLevelTrackMessage } from './level-track-message.ts';
import { requireLevelTrack } from './level-tracks.queries.ts';

/** The fields that never change: levels and payments of accounts belong to them. */
const FIXED = ['code', 'statisticCode'] as const;

/** Replaces a track, without a write to any account: proto LevelTrackAdminService.UpdateLevelTrack. */
export async function updateLevelTrack(
  { db, principal }: Call,
  { id, version, levelTrack }: UpdateLevelTrackRequest,
  requireRewards: RewardCheck,
): Promise<MessageInitShape<typeof UpdateLevelTrackResponseSchema>> {
  const content = contentOf(levelTrack!);
  const change = { operation: LevelTrackAdminService.method.updateLevelTrack, schema: LevelTrackSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const track = await requireLevelTrack(uow, id, { forChange: true });
    await requireVersion(uow, LevelTrackSchema, track, version);
    const fixed = FIXED.filter((each) => track[each] !== content[each]);
    if (fixed.length > 0)
      throw new DomainError(
        'LEVEL_TRACK_IMMUTABLE',
        sentence`The code and the statistic of a level track never change, and these differ: ${fixed}. Send them as they are, or create another level track.`,
      );
    await requireValidTrack(uow, content, requireRewards, track.levels);
    const before = toLevelTrackMessage(track);
    uow.em.assign(track, { ...content, version: track.version + 1 });
    await uow.em.flush();
    return { id: track.id, before, after: toLevelTrackMessage(track) };
  });
  return { levelTrack: after };
}
