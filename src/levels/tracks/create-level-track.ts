import type { MessageInitShape } from '@bufbuild/protobuf';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import {
  type CreateLevelTrackRequest,
  type CreateLevelTrackResponseSchema,
  LevelTrackAdminService,
} from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { LevelTrackSchema } from '../../../gen/laurel/v1/level_pb.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import { contentOf, requireValidTrack, type RewardCheck } from './level-track-draft.ts';
import { toLevelTrackMessage } from './level-track-message.ts';
import { type LevelTrackEntity, levelTrackTable } from './level-track.entity.ts';
import { levelTracks } from './level-tracks.queries.ts';

/** The most tracks of a client: each event decides about all of them. */
const TRACKS_MAX = 20;

/** Creates a track: proto LevelTrackAdminService.CreateLevelTrack. */
export async function createLevelTrack(
  { db, principal, now }: Call,
  request: CreateLevelTrackRequest,
  requireRewards: RewardCheck,
): Promise<MessageInitShape<typeof CreateLevelTrackResponseSchema>> {
  const content = contentOf(request.levelTrack!);
  const change = { operation: LevelTrackAdminService.method.createLevelTrack, schema: LevelTrackSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    await requireValidTrack(uow, content, requireRewards);
    if ((await levelTracks(uow)).length >= TRACKS_MAX)
      throw new DomainError(
        'TOO_MANY_LEVEL_TRACKS',
        sentence`The client has ${TRACKS_MAX} level tracks, the most that it may have. Delete one first.`,
      );
    const created = { ...content, clientId: uow.clientId, id: newId(), createdAt: now };
    const track = uow.em.create(levelTrackTable, created) as LevelTrackEntity;
    await uow.em.flush().catch((error: unknown) => {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw new DomainError(
        'LEVEL_TRACK_ALREADY_EXISTS',
        sentence`There is a level track '${content.code}' already. Send another code.`,
      );
    });
    return { id: track.id, after: toLevelTrackMessage(track) };
  });
  return { levelTrack: after };
}
