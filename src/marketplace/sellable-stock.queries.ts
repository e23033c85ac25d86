import { amountFromDecimal } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { fewKeys, probe } from '../persistence/by-keys.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { publicationTable } from './publications/publication.entity.ts';
import { type PublicationPlace, publicationNotFound } from './publications/publications.queries.ts';
import type { SellableStock, Units } from './sellable-stock.ts';

const COLUMNS = columnsOf(publicationTable, ['name', 'status', 'pointsCost', 'stock', 'reserved']);

type SellableStockRow = RowOf<typeof COLUMNS>;

/**
 * Locks what a sale of the publication takes units from, after accounts and products, and gives it as it is at `now`:
 * reservations whose time is up are closed first. The agreement is locked before its publications, so that anyone who holds
 * it may change all of them: see docs/decisions/0020.
 * @throws DomainError `PUBLICATION_NOT_FOUND` if it was removed since it was found
 */
export async function lockSellableStock(uow: UnitOfWork, place: PublicationPlace, now: Date): Promise<SellableStock> {
  const sellable = await lockSellableStockIfAny(uow, place, now);
  if (sellable === undefined) throw publicationNotFound(place.id);
  return sellable;
}

/** The same for those who only give units back: undefined if the publication was removed since it was found. */
export async function lockSellableStockIfAny(
  uow: UnitOfWork,
  place: PublicationPlace,
  now: Date,
): Promise<SellableStock | undefined> {
  const [shared, row, closed] = await Promise.all([
    place.agreementId === undefined ? undefined : lockAgreement(uow, place.agreementId),
    lockPublication(uow, place.id),
    closeDueReservations(uow, place, now),
  ]);
  if (row === undefined) return undefined;
  const { name, status, points_cost: cost, stock, reserved } = row;
  return {
    place,
    name,
    status,
    pointsCost: cost === null ? undefined : amountFromDecimal(cost),
    own: { stock, reserved: reserved - unitsOf(closed.filter(({ publicationId }) => publicationId === place.id)) },
    shared: shared && { stock: shared.stock, reserved: shared.reserved - unitsOf(closed) },
  };
}

async function lockAgreement(uow: UnitOfWork, id: string): Promise<Units> {
  const [row] = await uow.query<Units>(
    'select stock, reserved from agreement where client_id = $1 and id = $2 for no key update',
    [uow.clientId, id],
  );
  return row!;
}

/** Only a draft that never sold can be gone since it was found. */
async function lockPublication(uow: UnitOfWork, id: string): Promise<SellableStockRow | undefined> {
  const [row] = await uow.query<SellableStockRow>(
    `select ${COLUMNS} from publication
      where client_id = $1 and id = $2 for no key update`,
    [uow.clientId, id],
  );
  return row;
}

/** Reservations of one publication that were closed because their time was up. */
type Closed = { readonly publicationId: string; readonly reservations: number; readonly units: number };

/**
 * Closes what has expired by `now` in the whole agreement, or in the publication that has none, and gives the units back.
 * The caller holds the agreement, or the publication. @param limit reservations closed at most
 */
async function closeDueReservations(
  uow: UnitOfWork,
  place: PublicationPlace,
  now: Date,
  limit?: number,
): Promise<Closed[]> {
  const [scope, id] =
    place.agreementId === undefined ? ['publication_id', place.id] : ['agreement_id', place.agreementId];
  return uow.query<Closed>(
    `with due as (
       update reservation r set status = 'EXPIRED', updated_at = $3 from (
          select ctid as place from reservation
           where client_id = $1 and ${scope} between $2 and $2 and status = 'ACTIVE' and expires_at <= $3
           order by client_id, ${scope}, expires_at limit $4::bigint) c
        where r.client_id = $1 and r.ctid = c.place
       returning publication_id, agreement_id, quantity
     ), per_publication as (
       select publication_id, agreement_id, count(*)::int as reservations, sum(quantity)::int as units
         from due group by publication_id, agreement_id
     ), own as (
       update publication p set reserved = p.reserved - d.units
         from ${fewKeys('per_publication', 'd', 'array(select publication_id from per_publication)')} where p.client_id = $1 and p.id = d.publication_id
     ), shared as (
       update agreement a set reserved = a.reserved - d.units
         from (select agreement_id, sum(units)::int as units from per_publication group by agreement_id) d
        cross join ${probe({ select: 'ctid as place', from: 'agreement', key: { id: 'd.agreement_id' } })} held
        where a.client_id = $1 and a.ctid = held.place
     )
     select publication_id as "publicationId", reservations, units from per_publication`,
    [uow.clientId, id, now, limit ?? null],
  );
}

/** Locks what `place` takes units from and closes at most `limit` of its due reservations. Gives how many these were. */
export async function closeSomeDue(
  uow: UnitOfWork,
  place: PublicationPlace,
  now: Date,
  limit: number,
): Promise<number> {
  if (place.agreementId === undefined) await lockPublication(uow, place.id);
  else await lockAgreement(uow, place.agreementId);
  const closed = await closeDueReservations(uow, place, now, limit);
  return closed.reduce((sum, { reservations }) => sum + reservations, 0);
}

/** Writes the units of locked sellable stock as they are now. */
export async function saveSellableStock(
  uow: UnitOfWork,
  { place, own, shared }: SellableStock,
  now: Date,
): Promise<void> {
  await Promise.all([
    saveUnits(uow, 'publication', place.id, own, now),
    shared && saveUnits(uow, 'agreement', place.agreementId!, shared, now),
  ]);
}

async function saveUnits(
  uow: UnitOfWork,
  table: 'publication' | 'agreement',
  id: string,
  { stock, reserved }: Units,
  now: Date,
): Promise<void> {
  await uow.query(`update ${table} set stock = $3, reserved = $4, updated_at = $5 where client_id = $1 and id = $2`, [
    uow.clientId,
    id,
    stock,
    reserved,
    now,
  ]);
}

function unitsOf(closed: readonly Closed[]): number {
  return closed.reduce((sum, { units }) => sum + units, 0);
}
