import type { ServiceImpl } from '@connectrpc/connect';
import type { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Database } from '../persistence/database.ts';
import { createClient } from './create-client.ts';
import { getClient } from './get-client.ts';
import { listClients } from './list-clients.ts';
import { principalOf } from './principal.ts';

/** Tenants, for those who run the service. */
export function clientAdminService(db: Database) {
  return {
    createClient: (request, context) => createClient(db, principalOf(context), request),
    getClient: (request) => getClient(db, request),
    listClients: (request) => listClients(db, request),
  } satisfies Partial<ServiceImpl<typeof ClientAdminService>>;
}
