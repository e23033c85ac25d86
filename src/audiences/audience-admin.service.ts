import { explainAudience } from './explain-audience.ts';
import type { AudienceAdminService } from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { createAudience } from './create-audience.ts';
import { type AudienceUses, deleteAudience } from './delete-audience.ts';
import { getAudience } from './get-audience.ts';
import { listAccountAudiences } from './members/list-account-audiences.ts';
import { listAudienceMembers } from './members/list-audience-members.ts';
import { listAudiences } from './list-audiences.ts';
import { updateAudience } from './update-audience.ts';

/**
 * The operations on audiences of one client.
 * @param usesOf finds the uses of an audience before its removal
 * @param usesOfName finds the expressions with its name before another name replaces it
 */
export function audienceAdminService(usesOf: AudienceUses, usesOfName: AudienceUses) {
  return {
    createAudience,
    getAudience: (call, request) => getAudience(call, request, usesOf),
    listAudiences,
    updateAudience: (call, request) => updateAudience(call, request, usesOfName),
    deleteAudience: (call, request) => deleteAudience(call, request, usesOf),
    listAudienceMembers,
    listAccountAudiences,
    explainAudience,
  } satisfies Handlers<typeof AudienceAdminService>;
}
