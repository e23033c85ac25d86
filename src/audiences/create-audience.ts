import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AudienceAdminService,
  type CreateAudienceRequest,
  type CreateAudienceResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { Audience_Kind, Audience_KindSchema, AudienceSchema } from '../../gen/laurel/v1/audience_pb.ts';
import { changeCatalog } from '../clients/change-catalog.ts';
import type { Call } from '../clients/call.ts';
import { enumName } from '../kernel/enum-names.ts';
import { newId } from '../kernel/ids.ts';
import { toAudienceMessage } from './audience-message.ts';
import { checkedRule } from './checked-rule.ts';
import { type AudienceEntity, audienceTable } from './audience.entity.ts';

/** Creates an audience: proto AudienceAdminService.CreateAudience. */
export async function createAudience(
  { db, principal, clock }: Call,
  { name, kind, description, expression }: CreateAudienceRequest,
): Promise<MessageInitShape<typeof CreateAudienceResponseSchema>> {
  const change = { operation: AudienceAdminService.method.createAudience, schema: AudienceSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const checked = await checkedRule(uow, kind === Audience_Kind.RULE, expression, clock());
    const audience = uow.em.create(audienceTable, {
      clientId: uow.clientId,
      id: newId(),
      name,
      description,
      kind: enumName(Audience_KindSchema, kind)!,
      expression: checked,
    }) as AudienceEntity;
    await uow.em.flush();
    const after = toAudienceMessage(audience);
    return { id: audience.id, after };
  });
  return { audience: after };
}
