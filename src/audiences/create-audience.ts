import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AudienceAdminService,
  type CreateAudienceRequest,
  type CreateAudienceResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { Audience_Kind, AudienceSchema } from '../../gen/laurel/v1/audience_pb.ts';
import { changeCatalog } from '../clients/change-catalog.ts';
import type { Call } from '../clients/call.ts';
import { newId } from '../kernel/ids.ts';
import { toAudienceMessage } from './audience-message.ts';
import { type AudienceEntity, audienceTable } from './audience.entity.ts';

/** Creates an audience: proto AudienceAdminService.CreateAudience. */
export async function createAudience(
  { db, principal }: Call,
  { name, kind, description }: CreateAudienceRequest,
): Promise<MessageInitShape<typeof CreateAudienceResponseSchema>> {
  const change = { operation: AudienceAdminService.method.createAudience, schema: AudienceSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const audience = uow.em.create(audienceTable, {
      clientId: uow.clientId,
      id: newId(),
      name,
      description,
      kind: kind === Audience_Kind.EVERYONE ? 'EVERYONE' : 'MANUAL',
    }) as AudienceEntity;
    await uow.em.flush();
    const after = toAudienceMessage(audience);
    return { id: audience.id, after };
  });
  return { audience: after };
}
