import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetMissionRequest,
  GetMissionResponseSchema,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toStandaloneMissionMessage } from '../campaigns/campaign-message.ts';
import { requireStandalone } from './standalone-missions.queries.ts';

/** Returns one standalone mission: proto MissionAdminService.GetMission. */
export function getMission(
  { db, principal }: Call,
  { id }: GetMissionRequest,
): Promise<MessageInitShape<typeof GetMissionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    mission: toStandaloneMissionMessage(await requireStandalone(uow, id)),
  }));
}
