import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AgreementSchema } from '../../../gen/laurel/admin/v1/agreement_pb.ts';

/** Units that several publications share, as they were when they were read. */
export type Agreement = {
  readonly id: string;
  readonly name: string;
  readonly stock: number;
  /** `stock` less what is held back by reservations whose time is not up. */
  readonly availableStock: number;
  /** Raised by every change of its name. */
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
