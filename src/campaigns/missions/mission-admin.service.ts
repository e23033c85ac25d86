import type { MissionAdminService } from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createMission } from './create-mission.ts';
import { endMission } from './end-mission.ts';
import { missionFunnels } from './get-mission-funnel.ts';
import { getMission } from './get-mission.ts';
import { improveMission } from './improve-mission.ts';
import { listMissions } from './list-missions.ts';
import { updateMission } from './update-mission.ts';

/** The operations on one client's standalone missions. */
export function missionAdminService() {
  return {
    createMission,
    getMission,
    listMissions,
    updateMission,
    improveMission,
    endMission,
    getMissionFunnel: missionFunnels(),
  } satisfies Handlers<typeof MissionAdminService>;
}
