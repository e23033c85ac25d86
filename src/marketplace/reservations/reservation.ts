import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Reservation_Status, type ReservationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';

/** Where a reservation stands. */
export type ReservationStatus = 'ACTIVE' | 'RELEASED' | 'REDEEMED' | 'EXPIRED';

/** Units of a publication that are held back for an account. */
export type Reservation = {
  readonly id: string;
  readonly publicationId: string;
  readonly accountId: string;
  readonly quantity: number;
  readonly status: ReservationStatus;
  readonly expiresAt: Date;
  readonly createdAt: Date;
};

/** A reservation as the API shows it. */
export function toReservationMessage(reservation: Reservation): MessageInitShape<typeof ReservationSchema> {
  return {
    ...reservation,
    status: Reservation_Status[reservation.status],
    expiresAt: timestampFromDate(reservation.expiresAt),
    createdAt: timestampFromDate(reservation.createdAt),
  };
}
