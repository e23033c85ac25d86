import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Reservation_Status, type ReservationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { type Amount, amountFromDecimal, amountToNumber } from '../../kernel/amount.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { reservationTable } from './reservation.entity.ts';

/** The columns of a {@link Reservation}. */
export const RESERVATION = propertiesOf(reservationTable, [
  'id',
  'publicationId',
  'accountId',
  'quantity',
  'status',
  'expiresAt',
  'pointsCost',
  'createdAt',
]);

/** Units of a publication that are reserved for an account. */
export type Reservation = Readonly<RowOf<typeof RESERVATION>>;

/** The status of a reservation. */
export type ReservationStatus = Reservation['status'];

/** A reservation under the lock of its sellable stock, with the changes of this transaction so far. */
export type HeldReservation = Omit<Reservation, 'quantity' | 'status' | 'pointsCost'> & {
  /** Remaining units. */
  quantity: number;
  status: ReservationStatus;
  /** The promised price of a unit in points; undefined for reservations older than promised prices. */
  readonly pointsCost: Amount | undefined;
};

/** A promised price from its column. */
export function costOf(stored: string | null): Amount | undefined {
  return stored === null ? undefined : amountFromDecimal(stored);
}

/** A reservation as the API shows it. */
export function toReservationMessage(reservation: Reservation): MessageInitShape<typeof ReservationSchema> {
  return toHeldReservationMessage({ ...reservation, pointsCost: costOf(reservation.pointsCost) });
}

/** A locked reservation as the API shows it. */
export function toHeldReservationMessage(reservation: HeldReservation): MessageInitShape<typeof ReservationSchema> {
  const { pointsCost } = reservation;
  return {
    ...reservation,
    pointsCost: pointsCost === undefined ? undefined : amountToNumber(pointsCost),
    status: Reservation_Status[reservation.status],
    expiresAt: timestampFromDate(reservation.expiresAt),
    createdAt: timestampFromDate(reservation.createdAt),
  };
}
