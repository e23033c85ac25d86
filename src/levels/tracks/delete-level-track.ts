import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeleteLevelTrackRequest,
  type DeleteLevelTrackResponseSchema,
  LevelTrackAdminService,
} from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { LevelTrackSchema } from '../../../gen/laurel/v1/level_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { levelName } from '../../engine/levels/level-variables.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UsesOfNames } from '../../statistics/definitions/delete-statistic-definition.ts';
import { deletedLevelTrackTable } from './deleted-level-track.entity.ts';
import { toLevelTrackMessage } from './level-track-message.ts';
import { requireLevelTrack } from './level-tracks.queries.ts';

/** Removes a track; housekeeping removes the levels of its accounts: proto LevelTrackAdminService.DeleteLevelTrack. */
export async function deleteLevelTrack(
  { db, principal, now }: Call,
  { id, version }: DeleteLevelTrackRequest,
  usesOfNames: UsesOfNames,
): Promise<MessageInitShape<typeof DeleteLevelTrackResponseSchema>> {
  const change = { operation: LevelTrackAdminService.method.deleteLevelTrack, schema: LevelTrackSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const track = await requireLevelTrack(uow, id, { forChange: true });
    await requireVersion(uow, LevelTrackSchema, track, version);
    requireUnused(
      'LEVEL_TRACK_IN_USE',
      await usesOfNames(uow, [levelName(track.code)], now),
      sentence`Change the expressions first.`,
    );
    const before = toLevelTrackMessage(track);
    uow.em.remove(track);
    uow.em.create(deletedLevelTrackTable, { clientId: uow.clientId, trackId: track.id, deletedAt: now });
    await uow.em.flush();
    return { id: track.id, before };
  });
  return {};
}
