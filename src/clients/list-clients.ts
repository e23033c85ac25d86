import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListClientsRequest,
  ListClientsResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { RowOf } from '../persistence/columns-of.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import { CLIENT, toClientMessage } from './client-message.ts';
import type { Call } from './call.ts';

/** Lists clients by page, by name: proto ClientAdminService.ListClients. */
export function listClients(
  { db }: Call,
  request: ListClientsRequest,
): Promise<MessageInitShape<typeof ListClientsResponseSchema>> {
  return db.systemUnitOfWork(async (uow) => {
    const page = await clientPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toClientMessage(row)) };
  });
}

const clientPage = pagedList<RowOf<typeof CLIENT>>({
  from: 'client',
  columns: CLIENT,
  orderBy: ['name', 'id'],
  ofAllClients: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: { name: { column: 'name' }, createdAt: { column: 'created_at' } },
  searched: { ids: ['id'], parts: ['name'] },
});
