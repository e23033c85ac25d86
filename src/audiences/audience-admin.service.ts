import type { ServiceImpl } from '@connectrpc/connect';
import type { AudienceAdminService } from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { createAudience } from './create-audience.ts';
import { getAudience } from './get-audience.ts';
import { listAudiences } from './list-audiences.ts';

/** Audiences of one client. */
export function audienceAdminService(db: Database) {
  return {
    createAudience: (request, context) => createAudience(db, principalOf(context), request),
    getAudience: (request, context) => getAudience(db, principalOf(context), request),
    listAudiences: (request, context) => listAudiences(db, principalOf(context), request),
  } satisfies Partial<ServiceImpl<typeof AudienceAdminService>>;
}
