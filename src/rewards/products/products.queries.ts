import { clientsWith } from '../../clients/client-ids.ts';
import { amountFromDecimal } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { type ProductEntity, productTable } from './product.entity.ts';
import type { Product, StockMode } from './product.ts';
import { smallestNeedOf } from './stock/queue.queries.ts';

const STORED = columnsOf(productTable, ['id', 'name', 'stockMode', 'fragmentsRequired', 'pointsCost']);

const COLUMNS = `${STORED}, deleted_at is not null as archived`;

/** A row of `product` from hand-written SQL. */
export type ProductRow = RowOf<typeof STORED> & { readonly archived: boolean };

/** The products with these ids, by id. */
export async function productsById(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, Product>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<ProductRow>(
    `select p.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: COLUMNS,
      from: 'product',
      key: { id: 'wanted.id' },
    })} p`,
    [uow.clientId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, productFromRow(row)]));
}

/** One product, or undefined. */
export async function findProduct(uow: UnitOfWork, id: string): Promise<Product | undefined> {
  const [row] = await uow.query<ProductRow>(`select ${COLUMNS} from product where client_id = $1 and id = $2`, [
    uow.clientId,
    id,
  ]);
  return row && productFromRow(row);
}

/**
 * One product.
 * @throws DomainError `PRODUCT_NOT_FOUND`
 */
export async function requireProduct(uow: UnitOfWork, id: string): Promise<Product> {
  const product = await findProduct(uow, id);
  if (product === undefined) throw productNotFound(id);
  return product;
}

/**
 * One product with this stock mode.
 * @throws DomainError `PRODUCT_NOT_FOUND`, `STOCK_MODE_MISMATCH`
 */
export async function productInMode(uow: UnitOfWork, id: string, stockMode: StockMode): Promise<Product> {
  const product = await requireProduct(uow, id);
  if (product.stockMode === stockMode) return product;
  const instead = {
    CODES: sentence`Add codes to it.`,
    COUNTED: sentence`Add stock to it.`,
    UNLIMITED: sentence`It never runs out.`,
  };
  throw new DomainError(
    'STOCK_MODE_MISMATCH',
    sentence`The units of '${product.name}' are counted as ${product.stockMode}. ${instead[product.stockMode]}`,
  );
}

const FOR_ADMINISTRATORS = columnsOf(productTable, [
  'description',
  'stock',
  'allocated',
  'waiting',
  'lowStockThreshold',
  'version',
  'createdAt',
  'updatedAt',
  'deletedAt',
]);

const DETAILS = `${COLUMNS}, ${FOR_ADMINISTRATORS}`;

/** A row of `product` with the fields for administrators. */
export type ProductDetails = ProductRow & RowOf<typeof FOR_ADMINISTRATORS>;

/**
 * One product with the fields for administrators.
 * @throws DomainError `PRODUCT_NOT_FOUND`
 */
export async function requireProductDetails(uow: UnitOfWork, id: string): Promise<ProductDetails> {
  const [row] = await uow.query<ProductDetails>(`select ${DETAILS} from product where client_id = $1 and id = $2`, [
    uow.clientId,
    id,
  ]);
  if (row === undefined) throw productNotFound(id);
  return row;
}

/**
 * One product for a change by an operator, under the lock of the catalogue. Its units change under the row's own lock.
 * @throws DomainError `PRODUCT_NOT_FOUND`
 */
export async function productEntity(uow: UnitOfWork, id: string): Promise<ProductEntity> {
  const product = await uow.em.findOne(productTable, { clientId: uow.clientId, id: id.toLowerCase() });
  if (product === null) throw productNotFound(id);
  return product;
}

/** Products by page, by name. */
export const productPage = pagedList<ProductDetails>({
  from: 'product',
  columns: DETAILS,
  orderBy: ['name', 'id'],
  deletable: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    stockMode: { kind: 'enum', column: 'stock_mode', values: ['CODES', 'COUNTED', 'UNLIMITED'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
    waiting: { kind: 'boolean', column: '(waiting > 0)' },
  },
  orderable: {
    name: { column: 'name' },
    createdAt: { column: 'created_at' },
    stockMode: { column: 'stock_mode' },
    pointsCost: { column: 'points_cost', nullable: true },
  },
  searched: { ids: ['id'], parts: ['name'] },
});

/** The items of a product. */
export type ProductItem = { readonly id: string; readonly name: string };

/** The items of products by product id, in their order. */
export async function itemsOf(uow: UnitOfWork, productIds: readonly string[]): Promise<Map<string, ProductItem[]>> {
  const rows = await uow.query<ProductItem & { product_id: string }>(
    `select i.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'id, product_id, name',
      from: 'product_item',
      key: { product_id: 'wanted.id' },
      many: true,
    })} i order by i.id`,
    [uow.clientId, [...new Set(productIds)]],
  );
  return Map.groupBy(rows, (row) => row.product_id);
}

/** The 404 of an unknown product id. */
export function productNotFound(id: string): DomainError {
  return new DomainError('PRODUCT_NOT_FOUND', sentence`There is no product ${id}.`);
}

/** SQL for joins of other modules: the allocated units of the products of client `$1`. */
export const ALLOCATED_UNITS = `(select id, stock_mode, allocated from product where client_id = $1)`;

/** Products with enough free units for one of their pending rewards: unfinished restocks. */
export async function productsToServe(uow: UnitOfWork): Promise<Product[]> {
  const rows = await uow.query<ProductRow>(
    `select ${COLUMNS} from product p cross join ${smallestNeedOf('p.id')} e
      where p.client_id = $1 and p.waiting > 0 and e.units_needed <= p.stock - p.allocated order by p.id`,
    [uow.clientId],
  );
  return rows.map(productFromRow);
}

/** The clients with pending rewards, in a system unit of work. */
export function clientsWithWaitingRewards(uow: UnitOfWork): Promise<string[]> {
  return clientsWith(uow, 'select from product where client_id = c.id and waiting > 0 limit 1');
}

/** The free units of a product, without a lock; 0 for UNLIMITED. */
export async function freeUnitsOf(uow: UnitOfWork, id: string): Promise<number> {
  const [row] = await uow.query<{ free: number }>(
    `select stock - allocated as free from product where client_id = $1 and id = $2`,
    [uow.clientId, id],
  );
  return row?.free ?? 0;
}

/** The remaining units of a product, and the part that is free of publications. */
export type LimitedStock = { readonly units: number; readonly free: number };

/** The stocks of the products with counted units, without a lock. */
export async function limitedStocks(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, LimitedStock>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<LimitedStock & { id: string }>(
    `select p.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'id, stock as units, stock - allocated as free',
      from: 'product',
      key: { id: 'wanted.id' },
      and: `stock_mode <> 'UNLIMITED'`,
    })} p`,
    [uow.clientId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, units, free }) => [id, { units, free }]));
}

/** A product from its row. */
export function productFromRow(row: ProductRow): Product {
  return {
    id: row.id,
    name: row.name,
    stockMode: row.stock_mode,
    fragmentsRequired: row.fragments_required ?? undefined,
    pointsCost: row.points_cost === null ? undefined : amountFromDecimal(row.points_cost),
    archived: row.archived,
  };
}

/** The number of pending rewards. Products contain it, so that rewards need no count. */
export async function countPendingStock(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ count: number }>(
    `select coalesce(sum(waiting), 0)::int as count from product where client_id = $1 and waiting > 0`,
    [uow.clientId],
  );
  return row!.count;
}
