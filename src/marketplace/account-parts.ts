import { movedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { reservationTable } from './reservations/reservation.entity.ts';

/** This module's data about an account; purchases are in the redemptions. */
export const marketplaceParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'reservations',
    table: reservationTable,
    order: ['id'],
    erasure: { kind: 'stays', why: 'Units that were held and are released at once, under an id that names nobody.' },
    merging: movedRows(reservationTable),
  }),
];
