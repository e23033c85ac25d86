import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CreateMissionRequest,
  type CreateMissionResponseSchema,
  MissionAdminService,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { MissionSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { newId } from '../../kernel/ids.ts';
import { activeMissions, requireRoom } from '../campaigns/active-missions.ts';
import { requireKnownIds } from '../campaigns/campaign-draft.ts';
import { toStandaloneMissionMessage } from '../campaigns/campaign-message.ts';
import { type MissionEntity, missionTable } from './mission.entity.ts';
import { standaloneFromDraft } from './standalone-missions.queries.ts';

/** Creates a mission that belongs to no campaign: proto MissionAdminService.CreateMission. */
export async function createMission(
  { db, principal, now }: Call,
  request: CreateMissionRequest,
): Promise<MessageInitShape<typeof CreateMissionResponseSchema>> {
  const draft = request.mission!;
  const audienceId = request.audienceId.toLowerCase();
  const change = { operation: MissionAdminService.method.createMission, schema: MissionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    await requireKnownIds(uow, {
      audienceIds: [audienceId],
      rewardIds: [],
      missions: [draft],
      missionField: () => 'mission',
    });
    const content = await standaloneFromDraft(uow, audienceId, draft);
    const before = await activeMissions(uow, [content.programmaticCode], now);
    const mission = uow.em.create(missionTable, { ...content, id: newId(), createdAt: now }) as MissionEntity;
    await uow.em.flush();
    await requireRoom(uow, before, [content.programmaticCode], now);
    const after = toStandaloneMissionMessage(mission);
    return { id: mission.id, after };
  });
  return { mission: after };
}
