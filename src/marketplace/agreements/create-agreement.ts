import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AgreementAdminService,
  type CreateAgreementRequest,
  type CreateAgreementResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AgreementSchema } from '../../../gen/laurel/admin/v1/agreement_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { newId } from '../../kernel/ids.ts';
import { toAgreementMessage } from './agreement.ts';
import { AgreementEntity } from './agreement.entity.ts';
import { readAgreement } from './agreements.queries.ts';

/** Creates an agreement: proto AgreementAdminService.CreateAgreement. */
export function createAgreement(
  { db, principal, now }: Call,
  { name, stock }: CreateAgreementRequest,
): Promise<MessageInitShape<typeof CreateAgreementResponseSchema>> {
  const draft = { name: checkedText(name, '`name`'), stock, unitsAdded: stock, createdAt: now, updatedAt: now };
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { id } = uow.em.create(AgreementEntity, { clientId: uow.clientId, id: newId(), ...draft });
    await uow.em.flush();
    const after = toAgreementMessage(await readAgreement(uow, id, now));
    const operation = AgreementAdminService.method.createAgreement;
    await recordChange(uow, principal, { operation, schema: AgreementSchema, id, after });
    return { agreement: after };
  });
}
