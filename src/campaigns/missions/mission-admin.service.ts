import type { ServiceImpl } from '@connectrpc/connect';
import type { MissionAdminService } from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { createMission } from './create-mission.ts';
import { endMission } from './end-mission.ts';
import { getMission } from './get-mission.ts';
import { listMissions } from './list-missions.ts';
import { updateMission } from './update-mission.ts';

/** Standalone missions of one client. */
export function missionAdminService(db: Database, clock: Clock) {
  return {
    createMission: (request, context) => createMission(db, principalOf(context), request, clock()),
    getMission: (request, context) => getMission(db, principalOf(context), request),
    listMissions: (request, context) => listMissions(db, principalOf(context), request),
    updateMission: (request, context) => updateMission(db, principalOf(context), request, clock()),
    endMission: (request, context) => endMission(db, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof MissionAdminService>;
}
