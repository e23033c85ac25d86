import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AgreementAdminService,
  type AddAgreementStockRequest,
  type AddAgreementStockResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AgreementSchema } from '../../../gen/laurel/admin/v1/agreement_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { toAgreementMessage } from './agreement.ts';
import { addAgreementUnits, readAgreement } from './agreements.queries.ts';
import { stockTooLarge } from '../stock-limit.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Adds units to an agreement: proto AgreementAdminService.AddAgreementStock. */
export function addAgreementStock(
  { db, principal, now }: Call,
  { id, quantity }: AddAgreementStockRequest,
): Promise<MessageInitShape<typeof AddAgreementStockResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const before = toAgreementMessage(await readAgreement(uow, id, now));
    if (!(await addAgreementUnits(uow, id, quantity, now))) throw stockTooLarge(sentence`An agreement`);
    const after = toAgreementMessage(await readAgreement(uow, id, now));
    await recordChange(uow, principal, {
      operation: AgreementAdminService.method.addAgreementStock,
      schema: AgreementSchema,
      id: after.id,
      before,
      after,
      note: String(sentence`${quantity} units added.`),
    });
    return { agreement: after };
  });
}
