import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Reservation_Status, type ReservationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { amountFromDecimal, amountToNumber } from '../../kernel/amount.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { reservationTable } from './reservation.entity.ts';

/** The columns of a {@link Reservation}. */
export const RESERVATION = propertiesOf(reservationTable, [
  ...(['id', 'publicationId', 'accountId', 'quantity', 'status', 'expiresAt', 'pointsCost', 'createdAt'] as const),
]);

/** Units of a publication that are held back for an account. */
export type Reservation = Readonly<RowOf<typeof RESERVATION>>;

/** Where a reservation stands. */
export type ReservationStatus = Reservation['status'];

/** A reservation as the API shows it. */
export function toReservationMessage(reservation: Reservation): MessageInitShape<typeof ReservationSchema> {
  const { pointsCost } = reservation;
  return {
    ...reservation,
    pointsCost: pointsCost === null ? undefined : amountToNumber(amountFromDecimal(pointsCost)),
    status: Reservation_Status[reservation.status],
    expiresAt: timestampFromDate(reservation.expiresAt),
    createdAt: timestampFromDate(reservation.createdAt),
  };
}
