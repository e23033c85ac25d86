import type { ServiceImpl } from '@connectrpc/connect';
import type { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Database } from '../persistence/database.ts';
import { createClient } from './create-client.ts';
import { getClient } from './get-client.ts';
import { listClients } from './list-clients.ts';
import { principalOf } from './principal.ts';
import { updateClient } from './update-client.ts';

/** Tenants, for those who run the service; and each tenant's own, for its administrators. */
export function clientAdminService(db: Database) {
  return {
    createClient: (request, context) => createClient(db, principalOf(context), request),
    getClient: (request, context) => getClient(db, principalOf(context), request),
    listClients: (request) => listClients(db, request),
    updateClient: (request, context) => updateClient(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof ClientAdminService>;
}
