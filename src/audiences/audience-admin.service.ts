import type { ServiceImpl } from '@connectrpc/connect';
import type { AudienceAdminService } from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { createAudience } from './create-audience.ts';
import { type AudienceUses, deleteAudience } from './delete-audience.ts';
import { getAudience } from './get-audience.ts';
import { listAccountAudiences } from './list-account-audiences.ts';
import { listAudienceMembers } from './list-audience-members.ts';
import { listAudiences } from './list-audiences.ts';
import { updateAudience } from './update-audience.ts';

/** Audiences of one client. @param usesOf asked before one is removed */
export function audienceAdminService(db: Database, clock: Clock, usesOf: AudienceUses) {
  return {
    createAudience: (request, context) => createAudience(db, principalOf(context), request),
    getAudience: (request, context) => getAudience(db, principalOf(context), request),
    listAudiences: (request, context) => listAudiences(db, principalOf(context), request),
    updateAudience: (request, context) => updateAudience(db, principalOf(context), request),
    deleteAudience: (request, context) => deleteAudience(db, principalOf(context), request, clock(), usesOf),
    listAudienceMembers: (request, context) => listAudienceMembers(db, principalOf(context), request),
    listAccountAudiences: (request, context) => listAccountAudiences(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof AudienceAdminService>;
}
