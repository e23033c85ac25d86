import type { MissionAdminService } from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createMission } from './create-mission.ts';
import { endMission } from './end-mission.ts';
import { getMission } from './get-mission.ts';
import { listMissions } from './list-missions.ts';
import { updateMission } from './update-mission.ts';

/** Standalone missions of one client. */
export const missionAdminService = {
  createMission,
  getMission,
  listMissions,
  updateMission,
  endMission,
} satisfies Handlers<typeof MissionAdminService>;
