import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import { isDue, isTooFarAhead } from '../../persistence/moments.ts';
import { addToFeed } from '../../changes/collect-changes.ts';
import { reservationTable } from './reservation.entity.ts';
import { reservationChanged } from './reservation-changed.ts';
import { PUBLICATION_KEYS, publicationKeysOf, type PublicationKeys } from '../publications/publications.queries.ts';
import { costOf, type HeldReservation, RESERVATION, type Reservation, type ReservationStatus } from './reservation.ts';

/** Stores new reservations, under the locks of their sellable stocks. */
export async function insertReservations(
  uow: UnitOfWork,
  reservations: readonly HeldReservation[],
  publications: ReadonlyMap<string, PublicationKeys>,
): Promise<void> {
  addToFeed(uow, () => reservations.map(reservationChanged));
  await insertRows(
    uow,
    reservations.map((reservation) => ({
      ...reservation,
      agreementId: publications.get(reservation.publicationId)?.agreementId,
      updatedAt: reservation.createdAt,
    })),
  );
}

const insertRows = insertInto(reservationTable);

/** An account and a publication. */
export type Holder = { readonly accountId: string; readonly publicationId: string };

/** The open reservations of accounts on publications at `now`, by expiry within each pair. */
export async function openReservations(
  uow: UnitOfWork,
  holders: readonly Holder[],
  now: Date,
): Promise<HeldReservation[]> {
  if (holders.length === 0) return [];
  const rows = await uow.query<Reservation>(
    `select r.* from unnest($2::uuid[], $3::uuid[]) as wanted(account_id, publication_id)
      cross join ${lookUpByKey({
        select: RESERVATION,
        from: 'reservation',
        key: { account_id: 'wanted.account_id' },
        many: true,
        and: `publication_id = wanted.publication_id and status = 'ACTIVE' and expires_at > $4`,
      })} r
      order by r."expiresAt", r.id`,
    [uow.clientId, holders.map(({ accountId }) => accountId), holders.map(({ publicationId }) => publicationId), now],
  );
  return rows.map(({ pointsCost, ...rest }) => ({ ...rest, pointsCost: costOf(pointsCost) }));
}

/**
 * The publications of an account's open reservations, in the order of locks: publications with an agreement, by agreement, then the
 * others.
 */
export async function publicationsHeldBy(uow: UnitOfWork, accountId: string): Promise<PublicationKeys[]> {
  const rows = await uow.query<RowOf<typeof PUBLICATION_KEYS>>(
    `select distinct p.agreement_id, p.id, p.product_id
       from ${lookUpByKey({
         select: 'publication_id',
         from: 'reservation',
         key: { account_id: '$2' },
         and: `status = 'ACTIVE'`,
         many: true,
       })} r
      cross join ${lookUpByKey({ select: PUBLICATION_KEYS, from: 'publication', key: { id: 'r.publication_id' } })} p
      order by p.agreement_id nulls last, p.id`,
    [uow.clientId, accountId],
  );
  return rows.map(publicationKeysOf);
}

/** Saves changed reservations, under the locks of their sellable stocks. */
export async function saveReservations(
  uow: UnitOfWork,
  reservations: readonly HeldReservation[],
  now: Date,
): Promise<void> {
  if (reservations.length === 0) return;
  addToFeed(uow, () => reservations.map(reservationChanged));
  await uow.query(
    `update reservation r set status = c.status, quantity = c.quantity, updated_at = $5 from ${lockedRows({
      source: 'unnest($2::uuid[], $3::text[], $4::int[]) as c(id, status, quantity)',
      alias: 'c',
      table: 'reservation',
      key: { id: 'c.id' },
    })} where r.client_id = $1 and r.ctid = c.row_ctid`,
    [
      uow.clientId,
      reservations.map(({ id }) => id),
      reservations.map(({ status }) => status),
      reservations.map(({ quantity }) => quantity),
      now,
    ],
  );
}

/** One stored reservation, without a lock; undefined for an unknown id. */
export async function findReservation(uow: UnitOfWork, id: string): Promise<Reservation | undefined> {
  const [row] = await uow.query<Reservation>(
    `select ${RESERVATION} from reservation where client_id = $1 and id = $2`,
    [uow.clientId, id],
  );
  return row;
}

/** The filter of reservations; each field narrows it. */
export type ReservationQuery = {
  readonly accountId?: string | undefined;
  readonly publicationId?: string | undefined;
  readonly status: ReservationStatus;
  readonly limit: number;
};

/** Reservations at `now`, latest first. An expired one shows EXPIRED, closed or not. */
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

/** The SQL contains the words and not parameters, so that PostgreSQL can use the indexes of open reservations. */
const STANDS: Readonly<Record<ReservationStatus, (now: () => string) => string>> = {
  ACTIVE: (now) => `status = 'ACTIVE' and expires_at > ${now()}`,
  EXPIRED: (now) => `(status = 'EXPIRED' or (status = 'ACTIVE' and expires_at <= ${now()}))`,
  RELEASED: () => `status = 'RELEASED'`,
  REDEEMED: () => `status = 'REDEEMED'`,
};

/** The longest lifetime of a reservation in milliseconds: the API's maximum of `ttlSeconds`. */
const LONGEST_MS = 86_400_000;

/** SQL that is true of a reservation that has expired at `$1`, or whose end came from a clock that was ahead. */
export const IS_OVER = isDue('expires_at', LONGEST_MS, '$1::timestamptz');

/** Ends reservations that last longer than the maximum, because a clock was ahead. Then they are closed like all expired ones. */
export async function shortenReservations(uow: UnitOfWork, now: Date): Promise<void> {
  await uow.query(
    `update reservation set expires_at = $2
      where client_id = $1 and status = 'ACTIVE' and ${isTooFarAhead('expires_at', LONGEST_MS, '$2::timestamptz')}`,
    [uow.clientId, now],
  );
}

/** The publication of one expired reservation that is not closed yet; undefined without one. */
export async function findDuePublication(uow: UnitOfWork, now: Date): Promise<PublicationKeys | undefined> {
  const [row] = await uow.query<RowOf<typeof PUBLICATION_KEYS>>(
    `select p.id, p.product_id, p.agreement_id from reservation r
      cross join ${lookUpByKey({ select: PUBLICATION_KEYS, from: 'publication', key: { id: 'r.publication_id' } })} p
      where r.client_id = $1 and r.status = 'ACTIVE' and r.expires_at <= $2 limit 1`,
    [uow.clientId, now],
  );
  return row && publicationKeysOf(row);
}
