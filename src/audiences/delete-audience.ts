import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AudienceAdminService,
  type DeleteAudienceRequest,
  type DeleteAudienceResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { AudienceSchema } from '../../gen/laurel/v1/audience_pb.ts';
import { requireVersion } from '../audit/require-version.ts';
import { changeCatalog } from '../clients/change-catalog.ts';
import type { Call } from '../clients/call.ts';
import { requireUnused, type Uses } from '../kernel/errors/in-use.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { toAudienceMessage } from './audience-message.ts';
import { requireAudience } from './require-audience.ts';

/** Finds the uses of an audience in the modules above. */
export type AudienceUses = (uow: UnitOfWork, audienceId: string, now: Date) => Promise<Uses>;

/** Removes an audience without uses, logically: proto AudienceAdminService.DeleteAudience. */
export async function deleteAudience(
  { db, principal, now }: Call,
  { id, version }: DeleteAudienceRequest,
  usesOf: AudienceUses,
): Promise<MessageInitShape<typeof DeleteAudienceResponseSchema>> {
  const change = { operation: AudienceAdminService.method.deleteAudience, schema: AudienceSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const audience = await requireAudience(uow, id, { forChange: true });
    await requireVersion(uow, AudienceSchema, audience, version);
    requireUnused(
      'AUDIENCE_IN_USE',
      await usesOf(uow, audience.id, now),
      sentence`Delete those that are drafts, change the expressions, or keep the audience.`,
    );
    const before = toAudienceMessage(audience);
    audience.deletedAt = now;
    await uow.em.flush();
    return { id: audience.id, before };
  });
  return {};
}
