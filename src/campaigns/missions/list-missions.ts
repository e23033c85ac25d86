import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListMissionsRequest,
  ListMissionsResponseSchema,
} from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { toStandaloneMissionMessage } from '../campaigns/campaign-message.ts';
import { missionTable } from './mission.entity.ts';
import { MISSION_TYPES } from './mission-types.ts';

/** Lists standalone missions by page, latest first: proto MissionAdminService.ListMissions. */
export function listMissions(
  { db, principal }: Call,
  request: ListMissionsRequest,
): Promise<MessageInitShape<typeof ListMissionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await missionPage(uow, request);
    const ids = page.rows.map(({ id }) => id);
    const missions = await uow.em.find(missionTable, { clientId: uow.clientId, id: { $in: ids } });
    const byId = new Map(missions.map((mission) => [mission.id, mission]));
    return { ...page, rows: ids.map((id) => toStandaloneMissionMessage(byId.get(id)!)) };
  });
}

const missionPage = pagedList<{ id: string }>({
  from: '(select * from mission where campaign_id is null) as standalone',
  columns: 'id',
  // UUIDv7 ids sort by creation time.
  orderBy: ['id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    type: { kind: 'enum', values: MISSION_TYPES, column: 'type' },
    audienceId: { kind: 'uuid', column: 'audience_id' },
    programmaticCode: { kind: 'text', column: 'programmatic_code' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: {
    createdAt: { column: 'id' },
    name: { column: 'name' },
    type: { column: 'type' },
    programmaticCode: { column: 'programmatic_code' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], words: ['programmatic_code'], parts: ['name', 'programmatic_code'] },
});
