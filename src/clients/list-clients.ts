import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListClientsRequest,
  ListClientsResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import { toClientMessage } from './client-message.ts';
import { clientTable } from './client.entity.ts';
import type { Call } from './call.ts';

/** Lists clients by page, by name: proto ClientAdminService.ListClients. */
export function listClients(
  { db }: Call,
  request: ListClientsRequest,
): Promise<MessageInitShape<typeof ListClientsResponseSchema>> {
  return db.systemUnitOfWork(async (uow) => {
    const page = await clientPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toClientMessage(uow.em.map(clientTable, row))) };
  });
}

const clientPage = pagedList({
  from: 'client',
  columns: 'id, name, time_zone, version, created_at, updated_at',
  orderBy: ['name', 'id'],
  ofAllClients: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
});
