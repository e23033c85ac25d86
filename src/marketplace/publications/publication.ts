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

/** An offer of a product, as it was when it was read. */
export type Publication = {
  readonly id: string;
  readonly productId: string;
  /** Undefined where its stock is its own alone. */
  readonly agreementId: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly status: PublicationStatus;
  /** Undefined until it changes state for the first time. */
  readonly pauseReason: PauseReason | undefined;
  readonly stock: number;
  /** `stock` less what is held back by reservations whose time is not up; while published not more than its agreement has. */
  readonly availableStock: number;
  /** Units of `stock` that reservations hold back whose time is not up. */
  readonly reserved: number;
  /** Units that its agreement has available; undefined without one. */
  readonly agreementAvailable: number | undefined;
  /** Points for one unit; undefined if nothing is paid here. */
  readonly pointsCost: Amount | undefined;
  /** Raised by every change of its texts or price. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * A publication as the API shows it.
 * @param heldBack with what explains its available stock, for people
 */
export function toPublicationMessage(
  publication: Publication,
  heldBack = false,
): MessageInitShape<typeof PublicationSchema> {
  const { status, pauseReason, pointsCost, reserved, agreementAvailable } = publication;
  return {
    ...publication,
    reserved: heldBack ? reserved : undefined,
    agreementAvailable: heldBack ? agreementAvailable : undefined,
    status: Publication_Status[status],
    pauseReason: pauseReason && Publication_PauseReason[pauseReason],
    pointsCost: pointsCost === undefined ? undefined : amountToNumber(pointsCost),
    createdAt: timestampFromDate(publication.createdAt),
    updatedAt: timestampFromDate(publication.updatedAt),
  };
}
