import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AgreementAdminService,
  type UpdateAgreementRequest,
  type UpdateAgreementResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AgreementSchema } from '../../../gen/laurel/admin/v1/agreement_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { bumpCatalogVersion, holdCatalog } from '../../clients/catalog-version.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { toAgreementMessage } from './agreement.ts';
import { readAgreement } from './agreements.queries.ts';

/** Renames an agreement: proto AgreementAdminService.UpdateAgreement. Its units are never touched here. */
export function updateAgreement(
  db: Database,
  principal: Principal,
  request: UpdateAgreementRequest,
  now: Date,
): Promise<MessageInitShape<typeof UpdateAgreementResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  return db.unitOfWork(principal.clientId, async (uow) => {
    await holdCatalog(uow);
    const agreement = await readAgreement(uow, request.id, now);
    await requireVersion(uow, AgreementSchema, agreement, request.version);
    await uow.query(
      'update agreement set name = $3, version = version + 1, updated_at = $4 where client_id = $1 and id = $2',
      [uow.clientId, agreement.id, name, now],
    );
    await bumpCatalogVersion(uow);
    const before = toAgreementMessage(agreement);
    const after = toAgreementMessage(await readAgreement(uow, agreement.id, now));
    const operation = AgreementAdminService.method.updateAgreement;
    await recordChange(uow, principal, { operation, schema: AgreementSchema, id: agreement.id, before, after });
    return { agreement: after };
  });
}
