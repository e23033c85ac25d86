import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAgreementRequest,
  GetAgreementResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { toAgreementMessage } from './agreement.ts';
import { readAgreement } from './agreements.queries.ts';

/** Gives one agreement: proto AgreementAdminService.GetAgreement. */
export function getAgreement(
  db: Database,
  principal: Principal,
  { id }: GetAgreementRequest,
  now: Date,
): Promise<MessageInitShape<typeof GetAgreementResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    agreement: toAgreementMessage(await readAgreement(uow, id, now)),
  }));
}
