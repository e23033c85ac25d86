import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAgreementsRequest,
  ListAgreementsResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toAgreementMessage } from './agreement.ts';
import { agreementPage, readAgreements } from './agreements.queries.ts';

/** Lists agreements by page: proto AgreementAdminService.ListAgreements. */
export function listAgreements(
  { db, principal, now }: Call,
  request: ListAgreementsRequest,
): Promise<MessageInitShape<typeof ListAgreementsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await agreementPage(uow, request);
    const ids = page.rows.map(({ id }) => id);
    return { ...page, rows: (await readAgreements(uow, ids, now)).map(toAgreementMessage) };
  });
}
