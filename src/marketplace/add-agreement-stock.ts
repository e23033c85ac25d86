import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AddAgreementStockRequest,
  AddAgreementStockResponseSchema,
} from '../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { agreementInit } from './agreement.ts';
import { addAgreementUnits, readAgreement } from './agreements.queries.ts';
import { stockTooLarge } from './stock-limit.ts';

/** Adds units to an agreement: proto AgreementAdminService.AddAgreementStock. */
export function addAgreementStock(
  db: Database,
  principal: Principal,
  { id, quantity }: AddAgreementStockRequest,
  now: Date,
): Promise<MessageInitShape<typeof AddAgreementStockResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const added = await addAgreementUnits(uow, id, quantity, now);
    const agreement = await readAgreement(uow, id, now);
    if (!added) throw stockTooLarge('An agreement');
    return { agreement: agreementInit(agreement) };
  });
}
