import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetMissionFunnelRequest,
  GetMissionFunnelResponseSchema,
  MissionFunnelSchema,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { countMembers } from '../../audiences/members/members.queries.ts';
import type { Call } from '../../clients/call.ts';
import { createTtlCache } from '../../clients/credentials/ttl-cache.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { countSteps } from '../statistics/funnel.queries.ts';
import type { MissionEntity } from './mission.entity.ts';
import { requireStandalone } from './standalone-missions.queries.ts';

type Funnel = MessageInitShape<typeof MissionFunnelSchema>;

/** The read of a standalone mission's funnel; its counts are cached for ten seconds, for all operators. */
export function missionFunnels() {
  const counted = createTtlCache<Funnel>({ lifetimeMs: 10_000, capacity: 1_000 });

  /** Counts the accounts of a standalone mission by progress: proto MissionAdminService.GetMissionFunnel. */
  return async function getMissionFunnel(
    { db, now, principal: { clientId } }: Call,
    { id }: GetMissionFunnelRequest,
  ): Promise<MessageInitShape<typeof GetMissionFunnelResponseSchema>> {
    return db.unitOfWork(clientId, async (uow) => {
      const mission = await requireStandalone(uow, id);
      // The version in the key shows a change of the mission without a delay.
      const key = `${clientId} ${mission.id} ${mission.version}`;
      return { funnel: await counted.get(key, () => countFunnel(uow, mission, now)) };
    });
  };
}

async function countFunnel(uow: UnitOfWork, mission: MissionEntity, now: Date): Promise<Funnel> {
  const members = await countMembers(uow, [mission.audienceId!], now);
  const steps = await countSteps(uow, [mission]);
  return { members, started: 0, completed: 0, ...steps.get(mission.id) };
}
