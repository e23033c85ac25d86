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

/** Reads what accounts did of standalone missions; however many operators look at one, it is counted once in ten seconds. */
export function missionFunnels() {
  const counted = createTtlCache<Funnel>({ lifetimeMs: 10_000, capacity: 1_000 });

  /** Counts how far the accounts of a standalone mission are: proto MissionAdminService.GetMissionFunnel. */
  return async function getMissionFunnel(
    { db, principal: { clientId } }: Call,
    { id }: GetMissionFunnelRequest,
  ): Promise<MessageInitShape<typeof GetMissionFunnelResponseSchema>> {
    return db.unitOfWork(clientId, async (uow) => {
      const mission = await requireStandalone(uow, id);
      // A change of the mission is shown at once.
      const key = `${clientId} ${mission.id} ${mission.version}`;
      return { funnel: await counted.get(key, () => countFunnel(uow, mission)) };
    });
  };
}

async function countFunnel(uow: UnitOfWork, mission: MissionEntity): Promise<Funnel> {
  const members = await countMembers(uow, [mission.audienceId!]);
  const steps = await countSteps(uow, [mission]);
  return { members, started: 0, completed: 0, ...steps.get(mission.id) };
}
