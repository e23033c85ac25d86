import type { ServiceImpl } from '@connectrpc/connect';
import type { AgreementAdminService } from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { addAgreementStock } from './add-agreement-stock.ts';
import { createAgreement } from './create-agreement.ts';
import { getAgreement } from './get-agreement.ts';
import { listAgreementPublications } from './list-agreement-publications.ts';
import { listAgreements } from './list-agreements.ts';
import { updateAgreement } from './update-agreement.ts';

/** Stock that publications share, as operators arrange it. */
export function agreementAdminService(db: Database, clock: Clock) {
  return {
    createAgreement: (request, context) => createAgreement(db, principalOf(context), request, clock()),
    getAgreement: (request, context) => getAgreement(db, principalOf(context), request, clock()),
    listAgreements: (request, context) => listAgreements(db, principalOf(context), request, clock()),
    addAgreementStock: (request, context) => addAgreementStock(db, principalOf(context), request, clock()),
    updateAgreement: (request, context) => updateAgreement(db, principalOf(context), request, clock()),
    listAgreementPublications: (request, context) =>
      listAgreementPublications(db, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof AgreementAdminService>;
}
