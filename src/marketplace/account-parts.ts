import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { reservationTable } from './reservations/reservation.entity.ts';

/** What this module keeps about an account; what it bought is among the redemptions. */
export const marketplaceParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'reservations',
    table: reservationTable,
    order: ['id'],
    erasure: { kind: 'stays', why: 'Units that were held and are released at once, under an id that names nobody.' },
  }),
];
