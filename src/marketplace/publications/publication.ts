import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  Publication_PauseReason,
  type PublicationSchema,
  Publication_Status,
} from '../../../gen/laurel/v1/marketplace_pb.ts';
import { type Amount, amountToNumber } from '../../kernel/amount.ts';

/** Whether a publication can be bought. */
export type PublicationStatus = 'DRAFT' | 'PUBLISHED_ON_MARKETPLACE';

/** Why a publication changed state. */
export type PauseReason = 'NONE' | 'MANUAL' | 'PUBLICATION_OUT_OF_STOCK' | 'AGREEMENT_OUT_OF_STOCK';

/** An offer of a product, at the time of reading. */
export type Publication = {
  readonly id: string;
  readonly productId: string;
  /** The agreement that shares its stock; undefined without one. */
  readonly agreementId: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly status: PublicationStatus;
  /** Undefined until it changes state for the first time. */
  readonly pauseReason: PauseReason | undefined;
  readonly stock: number;
  /** `stock` less the units of open reservations; while published, at most the available units of its agreement. */
  readonly availableStock: number;
  /** Units of `stock` in open reservations. */
  readonly reserved: number;
  /** Available units of its agreement; undefined without one. */
  readonly agreementAvailable: number | undefined;
  /** Points for one unit; undefined without a price. */
  readonly pointsCost: Amount | undefined;
  /** The version; each change of the texts or the price raises it. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * A publication as the API shows it.
 * @param withStockFigures whether to add the figures behind the available stock, for operators
 */
export function toPublicationMessage(
  publication: Publication,
  withStockFigures = false,
): MessageInitShape<typeof PublicationSchema> {
  const { status, pauseReason, pointsCost, reserved, agreementAvailable } = publication;
  return {
    ...publication,
    reserved: withStockFigures ? reserved : undefined,
    agreementAvailable: withStockFigures ? agreementAvailable : undefined,
    status: Publication_Status[status],
    pauseReason: pauseReason && Publication_PauseReason[pauseReason],
    pointsCost: pointsCost === undefined ? undefined : amountToNumber(pointsCost),
    createdAt: timestampFromDate(publication.createdAt),
    updatedAt: timestampFromDate(publication.updatedAt),
  };
}
