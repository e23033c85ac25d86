import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAudiencesRequest,
  ListAudiencesResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { RowOf } from '../persistence/columns-of.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import { AUDIENCE, toAudienceMessage } from './audience-message.ts';

/** Lists audiences by page, by name: proto AudienceAdminService.ListAudiences. */
export function listAudiences(
  { db, principal }: Call,
  request: ListAudiencesRequest,
): Promise<MessageInitShape<typeof ListAudiencesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await audiencePage(uow, request);
    return { ...page, rows: page.rows.map((row) => toAudienceMessage(row)) };
  });
}

const audiencePage = pagedList<RowOf<typeof AUDIENCE>>({
  from: 'audience',
  columns: AUDIENCE,
  orderBy: ['name', 'id'],
  deletable: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    kind: { kind: 'enum', column: 'kind', values: ['MANUAL', 'EVERYONE', 'RULE'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: {
    name: { column: 'name' },
    kind: { column: 'kind' },
    createdAt: { column: 'created_at' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], parts: ['name'] },
});
