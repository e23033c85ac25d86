import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AgreementAdminService,
  type UpdateAgreementRequest,
  type UpdateAgreementResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AgreementSchema } from '../../../gen/laurel/admin/v1/agreement_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { toAgreementMessage } from './agreement.ts';
import { agreementTable } from './agreement.entity.ts';
import { readAgreement } from './agreements.queries.ts';

/** Renames an agreement: proto AgreementAdminService.UpdateAgreement. Its units are never touched here. */
export async function updateAgreement(
  { db, principal, now }: Call,
  request: UpdateAgreementRequest,
): Promise<MessageInitShape<typeof UpdateAgreementResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  const change = { operation: AgreementAdminService.method.updateAgreement, schema: AgreementSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const agreement = await readAgreement(uow, request.id, now);
    await requireVersion(uow, AgreementSchema, agreement, request.version);
    const stored = await uow.em.findOneOrFail(agreementTable, { clientId: uow.clientId, id: agreement.id });
    uow.em.assign(stored, { name, version: agreement.version + 1, updatedAt: now });
    await uow.em.flush();
    const before = toAgreementMessage(agreement);
    const after = toAgreementMessage(await readAgreement(uow, agreement.id, now));
    return { id: agreement.id, before, after };
  });
  return { agreement: after };
}
