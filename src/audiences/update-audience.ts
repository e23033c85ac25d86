import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AudienceAdminService,
  type UpdateAudienceRequest,
  type UpdateAudienceResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { AudienceSchema } from '../../gen/laurel/v1/audience_pb.ts';
import { requireVersion } from '../audit/require-version.ts';
import { changeCatalog } from '../clients/change-catalog.ts';
import type { Call } from '../clients/call.ts';
import { requireUnused } from '../kernel/errors/in-use.ts';
import { sentence } from '../kernel/sentence.ts';
import { toAudienceMessage } from './audience-message.ts';
import { checkedRule } from './checked-rule.ts';
import type { AudienceUses } from './delete-audience.ts';
import { requireAudience } from './require-audience.ts';

/** Replaces the texts and the expression of an audience: proto AudienceAdminService.UpdateAudience. */
export async function updateAudience(
  { db, principal, clock }: Call,
  { id, version, name, description, expression }: UpdateAudienceRequest,
  usesOfName: AudienceUses,
): Promise<MessageInitShape<typeof UpdateAudienceResponseSchema>> {
  const change = { operation: AudienceAdminService.method.updateAudience, schema: AudienceSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const audience = await requireAudience(uow, id, { forChange: true });
    await requireVersion(uow, AudienceSchema, audience, version);
    const before = toAudienceMessage(audience);
    if (name !== audience.name) {
      const uses = await usesOfName(uow, audience.id, clock());
      requireUnused('AUDIENCE_IN_USE', uses, sentence`Keep the name, or change the expressions first.`);
    }
    const checked = await checkedRule(uow, audience.kind === 'RULE', expression, clock());
    uow.em.assign(audience, { name, description, expression: checked, version: audience.version + 1 });
    await uow.em.flush();
    const after = toAudienceMessage(audience);
    return { id: audience.id, before, after };
  });
  return { audience: after };
}
