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
    await uow.query(
      'update agreement set name = $3, version = version + 1, updated_at = $4 where client_id = $1 and id = $2',
      [uow.clientId, agreement.id, name, now],
    );
    const before = toAgreementMessage(agreement);
    const after = toAgreementMessage(await readAgreement(uow, agreement.id, now));
    return { id: agreement.id, before, after };
  });
  return { agreement: after };
}
