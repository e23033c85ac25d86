import { ReservationChangedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { changeOf, type FedChange } from '../../changes/collect-changes.ts';
import { costOf, type HeldReservation, type Reservation, toHeldReservationMessage } from './reservation.ts';

/** The change that announces a reservation as it is now. */
export function reservationChanged(reservation: HeldReservation): FedChange {
  return changeOf('RESERVATION_CHANGED', ReservationChangedSchema, {
    accountId: reservation.accountId,
    reservation: toHeldReservationMessage(reservation),
  });
}

/** A reservation whose time has run out, from the JSON of a statement. */
export type ClosedReservation = Pick<Reservation, 'id' | 'accountId' | 'quantity' | 'pointsCost'> & {
  readonly expiresAt: string;
  readonly createdAt: string;
};

/** The change that announces an expired reservation of a publication. */
export function reservationExpired(publicationId: string, closed: ClosedReservation): FedChange {
  const { expiresAt, createdAt, pointsCost, ...rest } = closed;
  return reservationChanged({
    ...rest,
    publicationId,
    status: 'EXPIRED',
    expiresAt: new Date(expiresAt),
    createdAt: new Date(createdAt),
    pointsCost: costOf(pointsCost),
  });
}
