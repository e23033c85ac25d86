import { amountFromDecimal } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { STOCK_MAX } from '../stock-limit.ts';
import { publicationTable } from './publication.entity.ts';
import type { Publication } from './publication.ts';

const COLUMNS = columnsOf(
  publicationTable,
  [
    'id',
    'productId',
    'agreementId',
    'name',
    'description',
    'status',
    'pauseReason',
    'stock',
    'pointsCost',
    'version',
    'createdAt',
    'updatedAt',
  ],
  'p',
);

type PublicationRow = RowOf<typeof COLUMNS> & {
  /** Units of `stock` in open reservations. */
  readonly held_back: number;
  readonly agreement_available: number | null;
};

/**
 * The publications with these ids at `now`, in the order of the ids. Units of expired reservations count as available,
 * closed or not. A published one has at most the available units of its agreement; a draft shows its own. One statement
 * reads stock and reservations, so that they are consistent.
 */
export async function readPublications(uow: UnitOfWork, ids: readonly string[], now: Date): Promise<Publication[]> {
  if (ids.length === 0) return [];
  const rows = await uow.query<PublicationRow>(
    `select ${COLUMNS}, p.reserved - due.units as held_back, shared.units as agreement_available
       from unnest($2::uuid[]) with ordinality as wanted(id, position)
      cross join ${lookUpByKey({ select: '*', from: 'publication', key: { id: 'wanted.id' } })} p
      cross join lateral (
        select coalesce(sum(r.quantity), 0)::int as units from reservation r
         where r.client_id = $1 and r.publication_id = p.id and r.status = 'ACTIVE' and r.expires_at <= $3
      ) due
       left join ${lookUpByKey({
         select: `stock - reserved + (
                    select coalesce(sum(r.quantity), 0)::int from reservation r
                     where r.client_id = $1 and r.agreement_id = p.agreement_id and r.status = 'ACTIVE' and r.expires_at <= $3
                  ) as units`,
         from: 'agreement',
         key: { id: 'p.agreement_id' },
       })} shared on true
      order by wanted.position`,
    [uow.clientId, ids, now],
  );
  return rows.map(fromRow);
}

/**
 * One publication at `now`.
 * @throws DomainError `PUBLICATION_NOT_FOUND`
 */
export async function readPublication(uow: UnitOfWork, id: string, now: Date): Promise<Publication> {
  const [publication] = await readPublications(uow, [id], now);
  if (publication === undefined) throw publicationNotFound(id);
  return publication;
}

/** The immutable fields of a publication: they determine the rows to lock for a sale, before any lock. */
export type PublicationKeys = {
  readonly id: string;
  readonly productId: string;
  readonly agreementId: string | undefined;
};

/** The columns of a {@link PublicationKeys}. */
export const PUBLICATION_KEYS = columnsOf(publicationTable, ['id', 'productId', 'agreementId']);

/** The keys of a publication from their row. */
export function publicationKeysOf(row: RowOf<typeof PUBLICATION_KEYS>): PublicationKeys {
  return { id: row.id, productId: row.product_id, agreementId: row.agreement_id ?? undefined };
}

/** The keys of publications, by id; unknown ids are left out. */
export async function findPublicationKeys(
  uow: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, PublicationKeys>> {
  const rows = await uow.query<RowOf<typeof PUBLICATION_KEYS>>(
    `select p.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: PUBLICATION_KEYS,
      from: 'publication',
      key: { id: 'wanted.id' },
    })} p`,
    [uow.clientId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, publicationKeysOf(row)]));
}

/**
 * The keys of a publication.
 * @throws DomainError `PUBLICATION_NOT_FOUND`
 */
export async function requirePublicationKeys(uow: UnitOfWork, id: string): Promise<PublicationKeys> {
  const [publication] = (await findPublicationKeys(uow, [id])).values();
  if (publication === undefined) throw publicationNotFound(id);
  return publication;
}

/** Paused publications that one look reads. */
const PAUSED_MAX = 1_000;

/**
 * The time of the pause by publication id, latest first: of publications that have units, reserved or not, and were paused because they or
 * their agreement ran out.
 */
export async function pausedWithStock(uow: UnitOfWork): Promise<Map<string, Date | null>> {
  const rows = await uow.query<{ id: string; status_changed_at: Date | null }>(
    `select id, status_changed_at from publication
      where client_id = $1 and status = 'DRAFT' and stock > 0
        and pause_reason in ('PUBLICATION_OUT_OF_STOCK', 'AGREEMENT_OUT_OF_STOCK')
      order by status_changed_at desc limit ${PAUSED_MAX}`,
    [uow.clientId],
  );
  return new Map(rows.map((row) => [row.id, row.status_changed_at]));
}

/** Names of the publications that sell a product now. */
export async function publicationsOfProduct(uow: UnitOfWork, productId: string): Promise<Uses> {
  const rows = await uow.query<{ name: string }>(
    `select name from publication
      where client_id = $1 and product_id = $2 and status = 'PUBLISHED_ON_MARKETPLACE' order by name`,
    [uow.clientId, productId],
  );
  return rows.map(({ name }) => sentence`publication '${name}'`);
}

/** Adds units to a publication. False if the publication is missing or would exceed the maximum. */
export async function addPublicationUnits(uow: UnitOfWork, id: string, units: number, now: Date): Promise<boolean> {
  const rows = await uow.query(
    `update publication set stock = stock + $3, units_added = units_added + $3, updated_at = $4
      where client_id = $1 and id = $2 and stock <= $5::int - $3 returning id`,
    [uow.clientId, id, units, now, STOCK_MAX],
  );
  return rows.length > 0;
}

/** Withdraws unreserved units from a locked publication, as if they had never been added. */
export async function removePublicationUnits(uow: UnitOfWork, id: string, units: number, now: Date): Promise<void> {
  await uow.query(
    `update publication set stock = stock - $3, units_added = units_added - $3, updated_at = $4
      where client_id = $1 and id = $2`,
    [uow.clientId, id, units, now],
  );
}

/** Whether a unit of a locked publication was ever sold. */
export async function wasEverSold(uow: UnitOfWork, id: string): Promise<boolean> {
  const [row] = await uow.query<{ sold: boolean }>(
    'select units_added > stock as sold from publication where client_id = $1 and id = $2',
    [uow.clientId, id],
  );
  return row?.sold ?? false;
}

/** Removes a locked publication. */
export async function deletePublicationRow(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query('delete from publication where client_id = $1 and id = $2', [uow.clientId, id]);
}

/** The 404 of an unknown publication id. */
export function publicationNotFound(id: string): DomainError {
  return new DomainError('PUBLICATION_NOT_FOUND', sentence`There is no publication ${id}.`);
}

function fromRow(row: PublicationRow): Publication {
  const own = row.stock - row.held_back;
  const agreementAvailable = row.agreement_available ?? undefined;
  return {
    id: row.id,
    productId: row.product_id,
    agreementId: row.agreement_id ?? undefined,
    name: row.name,
    description: row.description,
    status: row.status,
    pauseReason: row.pause_reason ?? undefined,
    stock: row.stock,
    availableStock:
      row.status === 'DRAFT' || agreementAvailable === undefined ? own : Math.min(own, agreementAvailable),
    reserved: row.held_back,
    agreementAvailable,
    pointsCost: row.points_cost === null ? undefined : amountFromDecimal(row.points_cost),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
