import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AgreementSchema } from '../../../gen/laurel/admin/v1/agreement_pb.ts';

/** The stock of an agreement, shared by several publications, at the time of reading. */
export type Agreement = {
  readonly id: string;
  readonly name: string;
  readonly stock: number;
  /** `stock` less the units of open reservations. */
  readonly availableStock: number;
  /** The version; each change of the name raises it. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** An agreement as the API shows it. */
export function toAgreementMessage(agreement: Agreement): MessageInitShape<typeof AgreementSchema> {
  return {
    ...agreement,
    createdAt: timestampFromDate(agreement.createdAt),
    updatedAt: timestampFromDate(agreement.updatedAt),
  };
}
