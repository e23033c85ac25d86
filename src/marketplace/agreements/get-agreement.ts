import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAgreementRequest,
  GetAgreementResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toAgreementMessage } from './agreement.ts';
import { readAgreement } from './agreements.queries.ts';

/** Returns one agreement: proto AgreementAdminService.GetAgreement. */
export function getAgreement(
  { db, principal, now }: Call,
  { id }: GetAgreementRequest,
): Promise<MessageInitShape<typeof GetAgreementResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    agreement: toAgreementMessage(await readAgreement(uow, id, now)),
  }));
}
