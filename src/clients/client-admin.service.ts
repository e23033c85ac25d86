import type { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { createClient } from './create-client.ts';
import { getClient } from './get-client.ts';
import { listClients } from './list-clients.ts';
import type { Handlers } from './call.ts';
import { updateClient } from './update-client.ts';

/** The operations on all clients for the operators of the service, and on one client for its administrators. */
export const clientAdminService = {
  createClient,
  getClient,
  listClients,
  updateClient,
} satisfies Handlers<typeof ClientAdminService>;
