import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type EndMissionRequest,
  type EndMissionResponseSchema,
  MissionAdminService,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { MissionSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { toStandaloneMissionMessage } from '../campaigns/campaign-message.ts';
import { requireStandalone } from './standalone-missions.queries.ts';

/** Ends a standalone mission: proto MissionAdminService.EndMission. It stays in the catalogue, because its items are still read. */
export async function endMission(
  { db, principal, now }: Call,
  { id, version }: EndMissionRequest,
): Promise<MessageInitShape<typeof EndMissionResponseSchema>> {
  const change = { operation: MissionAdminService.method.endMission, schema: MissionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const mission = await requireStandalone(uow, id, { forChange: true });
    const before = toStandaloneMissionMessage(mission);
    if (mission.endsAt && mission.endsAt <= now) return { after: before, unchanged: true };
    await requireVersion(uow, MissionSchema, mission, version);
    uow.em.assign(mission, { endsAt: now, version: mission.version + 1 });
    await uow.em.flush();
    const after = toStandaloneMissionMessage(mission);
    return { id: mission.id, before, after };
  });
  return { mission: after };
}
