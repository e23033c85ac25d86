import type { UnitOfWork } from '../../persistence/database.ts';
import { amountFromDecimal } from '../../kernel/amount.ts';
import { heldRows, probe } from '../../persistence/by-keys.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { PLACE_COLUMNS, placeOf, type PublicationPlace } from '../publications/publications.queries.ts';
import type { OpenReservation } from '../purchases/purchase.ts';
import { reservationTable } from './reservation.entity.ts';
import { RESERVATION, type Reservation, type ReservationStatus } from './reservation.ts';

/** Stores a new reservation, under the lock of its sellable stock. */
export async function insertReservation(
  uow: UnitOfWork,
  { agreementId }: PublicationPlace,
  reservation: Reservation,
): Promise<void> {
  const { id, publicationId, accountId, quantity, expiresAt, pointsCost, createdAt } = reservation;
  await uow.query(
    `insert into reservation (client_id, id, publication_id, agreement_id, account_id, quantity, expires_at, points_cost, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [uow.clientId, id, publicationId, agreementId ?? null, accountId, quantity, expiresAt, pointsCost, createdAt],
  );
}

const OPEN = propertiesOf(reservationTable, ['id', 'quantity', 'pointsCost']);

/** What an account holds back of a publication at `now`, what expires first before the rest. */
export async function openReservations(
  uow: UnitOfWork,
  accountId: string,
  publicationId: string,
  now: Date,
): Promise<OpenReservation[]> {
  const rows = await uow.query<RowOf<typeof OPEN>>(
    `select ${OPEN} from reservation
      where client_id = $1 and account_id = $2 and publication_id = $3 and status = 'ACTIVE' and expires_at > $4
      order by expires_at, id`,
    [uow.clientId, accountId, publicationId, now],
  );
  return rows.map(({ id, quantity, pointsCost }) => ({
    ...{ id, quantity },
    pointsCost: pointsCost === null ? undefined : amountFromDecimal(pointsCost),
  }));
}

/**
 * Where the open reservations of an account have taken units from, in the order in which those are locked: what has an
 * agreement by the agreement, then the others.
 */
export async function placesHeldBy(uow: UnitOfWork, accountId: string): Promise<PublicationPlace[]> {
  const rows = await uow.query<RowOf<typeof PLACE_COLUMNS>>(
    `select distinct p.agreement_id, p.id, p.product_id
       from ${probe({
         ...{ select: 'publication_id', from: 'reservation', key: { account_id: '$2' } },
         ...{ and: `status = 'ACTIVE'`, many: true },
       })} r
      cross join ${probe({ select: PLACE_COLUMNS, from: 'publication', key: { id: 'r.publication_id' } })} p
      order by p.agreement_id nulls last, p.id`,
    [uow.clientId, accountId],
  );
  return rows.map(placeOf);
}

/** Closes reservations, under the lock of their sellable stock. */
export async function closeReservations(
  uow: UnitOfWork,
  ids: readonly string[],
  status: Exclude<ReservationStatus, 'ACTIVE'>,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    `update reservation r set status = $3, updated_at = $4 from ${heldRows({
      ...{ source: 'unnest($2::uuid[]) as c(id)', alias: 'c', table: 'reservation', key: { id: 'c.id' } },
    })} where r.client_id = $1 and r.ctid = c.place`,
    [uow.clientId, ids, status, now],
  );
}

/** Leaves a reservation open with the units that were not bought, under the lock of its sellable stock. */
export async function shrinkReservation(
  uow: UnitOfWork,
  { id, quantity }: Pick<OpenReservation, 'id' | 'quantity'>,
  now: Date,
): Promise<void> {
  await uow.query('update reservation set quantity = $3, updated_at = $4 where client_id = $1 and id = $2', [
    uow.clientId,
    id,
    quantity,
    now,
  ]);
}

/** Which reservations to give; every field narrows. */
export type ReservationQuery = {
  readonly accountId?: string | undefined;
  readonly publicationId?: string | undefined;
  readonly status: ReservationStatus;
  readonly limit: number;
};

/** Reservations as they are at `now`, latest first: one whose time is up is EXPIRED, closed or not. */
export async function selectReservations(uow: UnitOfWork, query: ReservationQuery, now: Date): Promise<Reservation[]> {
  const { accountId, publicationId, status, limit } = query;
  const values: unknown[] = [uow.clientId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    'client_id = $1',
    STANDS[status](() => parameter(now)),
    ...(accountId === undefined ? [] : [`account_id = ${parameter(accountId)}`]),
    ...(publicationId === undefined ? [] : [`publication_id = ${parameter(publicationId)}`]),
  ];
  const rows = await uow.query<Reservation>(
    `select ${RESERVATION} from reservation where ${conditions.join(' and ')}
      order by created_at desc, id desc limit ${parameter(limit)}`,
    values,
  );
  return rows.map((row) => ({ ...row, status }));
}

/** Words, not parameters, so that the indexes of open reservations serve. */
const STANDS: Readonly<Record<ReservationStatus, (now: () => string) => string>> = {
  ACTIVE: (now) => `status = 'ACTIVE' and expires_at > ${now()}`,
  EXPIRED: (now) => `(status = 'EXPIRED' or (status = 'ACTIVE' and expires_at <= ${now()}))`,
  RELEASED: () => `status = 'RELEASED'`,
  REDEEMED: () => `status = 'REDEEMED'`,
};

/** The publication of one reservation whose time is up but that is not closed yet; undefined if there is none. */
export async function findDuePlace(uow: UnitOfWork, now: Date): Promise<PublicationPlace | undefined> {
  const [row] = await uow.query<RowOf<typeof PLACE_COLUMNS>>(
    `select p.id, p.product_id, p.agreement_id from reservation r
      cross join ${probe({ select: PLACE_COLUMNS, from: 'publication', key: { id: 'r.publication_id' } })} p
      where r.client_id = $1 and r.status = 'ACTIVE' and r.expires_at <= $2 limit 1`,
    [uow.clientId, now],
  );
  return row && placeOf(row);
}
