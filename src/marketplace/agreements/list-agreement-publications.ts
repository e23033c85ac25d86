import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAgreementPublicationsRequest,
  ListAgreementPublicationsResponseSchema,
} from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { readAgreement } from './agreements.queries.ts';
import { publicationPage, withPublications } from '../publications/publication-pages.ts';

/** Lists the publications that share an agreement by page: proto AgreementAdminService.ListAgreementPublications. */
export function listAgreementPublications(
  { db, principal, now }: Call,
  { agreementId, ...request }: ListAgreementPublicationsRequest,
): Promise<MessageInitShape<typeof ListAgreementPublicationsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { id } = await readAgreement(uow, agreementId, now);
    const page = await publicationPage(uow, { ...request, only: { agreement_id: id } });
    return withPublications(uow, page, now, { withStockFigures: isPerson(principal) });
  });
}
