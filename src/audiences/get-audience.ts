import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAudienceRequest,
  GetAudienceResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { NAMED_MAX } from '../kernel/errors/in-use.ts';
import type { AudienceUses } from './delete-audience.ts';
import { toAudienceMessage } from './audience-message.ts';
import { countMembers } from './members/members.queries.ts';
import { requireAudience } from './require-audience.ts';

/** Returns one audience and the number of its members: proto AudienceAdminService.GetAudience. */
export function getAudience(
  { db, principal, clock }: Call,
  { id }: GetAudienceRequest,
  usesOf: AudienceUses,
): Promise<MessageInitShape<typeof GetAudienceResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const audience = await requireAudience(uow, id);
    const memberCount = await countMembers(uow, [audience.id], clock());
    const uses = await usesOf(uow, audience.id, clock());
    return { audience: { ...toAudienceMessage(audience), memberCount }, uses: uses.slice(0, NAMED_MAX).map(String) };
  });
}
