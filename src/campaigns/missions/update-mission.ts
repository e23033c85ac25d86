import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  MissionAdminService,
  type UpdateMissionRequest,
  type UpdateMissionResponseSchema,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { MissionSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { activeMissions, requireRoom } from '../campaigns/active-missions.ts';
import { requireKnownIds } from '../campaigns/campaign-draft.ts';
import { toStandaloneMissionMessage } from '../campaigns/campaign-message.ts';
import { fixedDifferences } from '../campaigns/fixed-content.ts';
import type { MissionEntity } from './mission.entity.ts';
import type { NewMission } from './mission-draft.ts';
import { requireNoCycle } from './prerequisites.ts';
import { requireStandalone, standaloneFromDraft } from './standalone-missions.queries.ts';

/** Replaces a standalone mission: proto MissionAdminService.UpdateMission. */
export async function updateMission(
  { db, principal, now }: Call,
  request: UpdateMissionRequest,
): Promise<MessageInitShape<typeof UpdateMissionResponseSchema>> {
  const draft = request.mission!;
  const change = { operation: MissionAdminService.method.updateMission, schema: MissionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const mission = await requireStandalone(uow, request.id, { forChange: true });
    const ofMilestones = mission.milestones?.flatMap(({ rewardIds }) => rewardIds) ?? [];
    const keptRewardIds = new Set([...mission.rewardIds, ...ofMilestones]);
    await requireKnownIds(uow, {
      audienceIds: [],
      rewardIds: [],
      missions: [draft],
      missionField: () => 'mission',
      keptRewardIds,
    });
    await requireVersion(uow, MissionSchema, mission, request.version);
    const before = toStandaloneMissionMessage(mission);
    const { id: _id, ...content } = await standaloneFromDraft(uow, mission.audienceId!, draft);
    requireChangeable(mission, content, now);
    await requireNoCycle(uow, mission, content);
    const active = await activeMissions(uow, [content.programmaticCode], now);
    Object.assign(mission, { ...content, version: mission.version + 1 });
    await uow.em.flush();
    await requireRoom(uow, active, [content.programmaticCode], now);
    const after = toStandaloneMissionMessage(mission);
    return { id: mission.id, before, after };
  });
  return { mission: after };
}

/** The fields that may change after a mission is offered: they do not change how earlier events count. */
const MUTABLE = ['name', 'description', 'imageUrl', 'endsAt'] as const;

function requireChangeable(mission: MissionEntity, content: Omit<NewMission, 'id'>, now: Date): void {
  if (mission.startsAt && mission.startsAt > now) return;
  const fixed = fixedDifferences(mission, content, MUTABLE);
  if (fixed.length === 0) return;
  throw new DomainError(
    'MISSION_IMMUTABLE',
    sentence`The mission is offered, so these cannot change any more: ${fixed}. Send them as they are, or end it and create another.`,
  );
}
