import { amountFromDecimal } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { limitedKeys, lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { addToFeed, collectsChanges } from '../changes/collect-changes.ts';
import { publicationTable } from './publications/publication.entity.ts';
import { type PublicationKeys, publicationNotFound } from './publications/publications.queries.ts';
import type { SellableStock, Units } from './sellable-stock.ts';
import { type ClosedReservation, reservationExpired } from './reservations/reservation-changed.ts';

const COLUMNS = columnsOf(publicationTable, ['id', 'name', 'status', 'pointsCost', 'stock', 'reserved']);

type SellableStockRow = RowOf<typeof COLUMNS>;

/**
 * Locks the stock of a sale, after accounts and products, and returns it at `now`.
 * @throws DomainError `PUBLICATION_NOT_FOUND` if it was removed since it was found
 */
export async function lockSellableStock(
  uow: UnitOfWork,
  publication: PublicationKeys,
  now: Date,
): Promise<SellableStock> {
  const sellable = (await lockSellableStocks(uow, [publication], now)).get(publication.id);
  if (sellable === undefined) throw publicationNotFound(publication.id);
  return sellable;
}

/**
 * The same for several publications, by id. It omits removed ones: only a draft without sales can be removed. Expired reservations are
 * closed first. Publications of one agreement share its units. Agreements are locked before publications, so that a transaction with the
 * lock of an agreement may change all of its publications: see docs/decisions/0020.
 */
export async function lockSellableStocks(
  uow: UnitOfWork,
  publications: readonly PublicationKeys[],
  now: Date,
): Promise<Map<string, SellableStock>> {
  const byId = new Map(publications.map((publication) => [publication.id, publication]));
  const [agreements, rows, closed] = await Promise.all([
    lockAgreements(uow, agreementIdsOf(publications)),
    lockPublications(uow, [...byId.keys()].toSorted()),
    closeDueReservations(uow, publications, now),
  ]);
  const closedOf = (which: Partial<Pick<Closed, 'publicationId' | 'agreementId'>>) =>
    closed.filter(({ publicationId, agreementId }) =>
      which.publicationId === undefined ? agreementId === which.agreementId : publicationId === which.publicationId,
    );
  const shared = new Map(
    agreements.map(({ id, stock, reserved }): [string, Units] => [
      id,
      { stock, reserved: reserved - unitsOf(closedOf({ agreementId: id })) },
    ]),
  );
  return new Map(
    rows.map(({ id, name, status, points_cost: cost, stock, reserved }) => {
      const publication = byId.get(id)!;
      return [
        id,
        {
          publication,
          name,
          status,
          pointsCost: cost === null ? undefined : amountFromDecimal(cost),
          own: { stock, reserved: reserved - unitsOf(closedOf({ publicationId: id })) },
          shared: publication.agreementId === undefined ? undefined : shared.get(publication.agreementId),
        },
      ];
    }),
  );
}

function agreementIdsOf(publications: readonly PublicationKeys[]): string[] {
  return [...new Set(publications.flatMap(({ agreementId }) => agreementId ?? []))].toSorted();
}

type AgreementRow = Units & { readonly id: string };

async function lockAgreements(uow: UnitOfWork, ids: readonly string[]): Promise<AgreementRow[]> {
  return ids.length === 0
    ? []
    : uow.query<AgreementRow>(locked('agreement', 'id, stock, reserved'), [uow.clientId, ids]);
}

async function lockPublications(uow: UnitOfWork, ids: readonly string[]): Promise<SellableStockRow[]> {
  return ids.length === 0 ? [] : uow.query<SellableStockRow>(locked('publication', COLUMNS), [uow.clientId, ids]);
}

/** SQL for the rows with the ids `$2`, locked in their order. */
function locked(table: string, select: string): string {
  const row = lookUpByKey({ select, from: table, key: { id: 'wanted.id' }, lock: 'for no key update' });
  return `select held.* from unnest($2::uuid[]) as wanted(id) cross join ${row} held`;
}

/** The closed expired reservations of one publication. */
type Closed = {
  readonly publicationId: string;
  readonly agreementId: string | null;
  readonly reservations: number;
  readonly units: number;
  /** The reservations, if changes are collected. */
  readonly closed: readonly ClosedReservation[] | null;
};

/** SQL for the closed reservations of a publication, as the feed needs them. */
const CLOSED = `(
  select json_agg(json_build_object('id', d.id, 'accountId', d.account_id, 'quantity', d.quantity, 'expiresAt', d.expires_at,
                                    'pointsCost', d.points_cost::text, 'createdAt', d.created_at) order by d.id)
    from due d where d.publication_id = per_publication.publication_id)`;

/** SQL for the reservations that are due at `$4`, at most `$5` for each id in `keys`. */
function dueOf(scope: 'agreement_id' | 'publication_id', keys: string): string {
  return `select due.row_ctid from unnest(${keys}::uuid[]) as wanted(id) cross join lateral (
            select ctid as row_ctid from reservation
             where client_id = $1 and ${scope} between wanted.id and wanted.id and status = 'ACTIVE' and expires_at <= $4
             order by client_id, ${scope}, expires_at limit $5::bigint) due`;
}

/**
 * Closes the reservations of locked agreements, and of locked publications without an agreement, that have expired by `now`, and releases
 * their units.
 * @param limit the maximum of closed reservations of each agreement or publication
 */
async function closeDueReservations(
  uow: UnitOfWork,
  publications: readonly PublicationKeys[],
  now: Date,
  limit?: number,
): Promise<Closed[]> {
  const alone = publications.filter(({ agreementId }) => agreementId === undefined).map(({ id }) => id);
  const rows = await uow.query<Closed>(
    `with due as (
       update reservation r set status = 'EXPIRED', updated_at = $4
         from (${dueOf('agreement_id', '$2')} union all ${dueOf('publication_id', '$3')}) c
        where r.client_id = $1 and r.ctid = c.row_ctid
       returning r.id, account_id, publication_id, agreement_id, quantity, expires_at, points_cost, created_at
     ), per_publication as (
       select publication_id, agreement_id, count(*)::int as reservations, sum(quantity)::int as units
         from due group by publication_id, agreement_id
     ), own as (
       update publication p set reserved = p.reserved - d.units
         from ${limitedKeys('per_publication', 'd', 'array(select publication_id from per_publication)')} where p.client_id = $1 and p.id = d.publication_id
     ), shared as (
       update agreement a set reserved = a.reserved - d.units
         from (select agreement_id, sum(units)::int as units from per_publication group by agreement_id) d
        cross join ${lookUpByKey({ select: 'ctid as row_ctid', from: 'agreement', key: { id: 'd.agreement_id' } })} held
        where a.client_id = $1 and a.ctid = held.row_ctid
     )
     select publication_id as "publicationId", agreement_id as "agreementId", reservations, units,
            ${collectsChanges(uow) ? CLOSED : 'null'} as closed from per_publication`,
    [uow.clientId, agreementIdsOf(publications), [...new Set(alone)], now, limit ?? null],
  );
  addToFeed(uow, () =>
    rows.flatMap(({ publicationId, closed }) => (closed ?? []).map((each) => reservationExpired(publicationId, each))),
  );
  return rows;
}

/** Locks the stock of `publication` and closes at most `limit` of its due reservations. Returns their number. */
export async function closeSomeDue(
  uow: UnitOfWork,
  publication: PublicationKeys,
  now: Date,
  limit: number,
): Promise<number> {
  if (publication.agreementId === undefined) await lockPublications(uow, [publication.id]);
  else await lockAgreements(uow, [publication.agreementId]);
  const closed = await closeDueReservations(uow, [publication], now, limit);
  return closed.reduce((sum, { reservations }) => sum + reservations, 0);
}

/** Saves the units of locked sellable stocks. */
export async function saveSellableStocks(
  uow: UnitOfWork,
  sellables: readonly SellableStock[],
  now: Date,
): Promise<void> {
  const own = new Map(sellables.map((sellable) => [sellable.publication.id, sellable.own]));
  const shared = new Map(
    sellables.flatMap(({ publication, shared: units }) =>
      units === undefined ? [] : [[publication.agreementId!, units]],
    ),
  );
  await Promise.all([saveUnits(uow, 'publication', own, now), saveUnits(uow, 'agreement', shared, now)]);
}

async function saveUnits(
  uow: UnitOfWork,
  table: 'publication' | 'agreement',
  units: ReadonlyMap<string, Units>,
  now: Date,
): Promise<void> {
  if (units.size === 0) return;
  const all = [...units.values()];
  await uow.query(
    `update ${table} t set stock = s.stock, reserved = s.reserved, updated_at = $5 from ${lockedRows({
      source: 'unnest($2::uuid[], $3::int[], $4::int[]) as s(id, stock, reserved)',
      alias: 's',
      table,
      key: { id: 's.id' },
    })} where t.client_id = $1 and t.ctid = s.row_ctid`,
    [uow.clientId, [...units.keys()], all.map(({ stock }) => stock), all.map(({ reserved }) => reserved), now],
  );
}

function unitsOf(closed: readonly Closed[]): number {
  return closed.reduce((sum, { units }) => sum + units, 0);
}
