import type { AgreementAdminService } from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { addAgreementStock } from './add-agreement-stock.ts';
import { createAgreement } from './create-agreement.ts';
import { getAgreement } from './get-agreement.ts';
import { listAgreementPublications } from './list-agreement-publications.ts';
import { listAgreements } from './list-agreements.ts';
import { updateAgreement } from './update-agreement.ts';

/** The operations of operators on agreements: stock that publications share. */
export const agreementAdminService = {
  createAgreement,
  getAgreement,
  listAgreements,
  addAgreementStock,
  updateAgreement,
  listAgreementPublications,
} satisfies Handlers<typeof AgreementAdminService>;
