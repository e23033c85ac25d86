import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RedeemableProductSchema } from '../../../../gen/laurel/v1/loyalty_pb.ts';
import { type Amount, amountFromDecimal, amountToNumber } from '../../../kernel/amount.ts';
import { lookUpByKey } from '../../../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { pagedList } from '../../../persistence/lists/list-page.ts';
import { productTable } from '../product.entity.ts';
import { productNotFound } from '../products.queries.ts';
import { smallestNeedOf } from '../stock/queue.queries.ts';

/** SQL that is true of a product that is sold for points, like in `priceOf` of an order. */
const FOR_SALE = 'points_cost is not null and deleted_at is null';

/** Ids of products that are sold for points by page, by name. */
export const redeemableProductPage = pagedList<{ readonly id: string; readonly name: string }>({
  from: `(select * from product where ${FOR_SALE}) as redeemable`,
  columns: 'id, name',
  orderBy: ['name', 'id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    pointsCost: { kind: 'number', column: 'points_cost' },
  },
  orderable: { name: { column: 'name' }, pointsCost: { column: 'points_cost' } },
  searched: { ids: ['id'], parts: ['name'] },
});

const COLUMNS = columnsOf(productTable, ['id', 'name', 'description', 'pointsCost'], 'p');

/** A product that is sold for points, and whether a unit is available. */
export type RedeemableProduct = RowOf<typeof COLUMNS> & { readonly in_stock: boolean };

/**
 * The products with these ids that are sold for points, in the order of the ids. A unit is available by the rule of orders: it is free, and
 * the free units suffice for no pending reward.
 */
export function redeemableProducts(uow: UnitOfWork, ids: readonly string[]): Promise<RedeemableProduct[]> {
  return uow.query<RedeemableProduct>(
    `select ${COLUMNS},
            p.stock_mode = 'UNLIMITED' or (p.stock > p.allocated and coalesce(e.units_needed > p.stock - p.allocated, true)) as in_stock
       from unnest($2::uuid[]) with ordinality as wanted(id, ordinal)
      cross join ${lookUpByKey({ select: '*', from: 'product', key: { id: 'wanted.id' }, and: FOR_SALE })} p
       left join ${smallestNeedOf('p.id')} e on true
      order by wanted.ordinal`,
    [uow.clientId, ids],
  );
}

/**
 * One product that is sold for points.
 * @throws DomainError `PRODUCT_NOT_FOUND`
 */
export async function requireRedeemableProduct(uow: UnitOfWork, id: string): Promise<RedeemableProduct> {
  const [product] = await redeemableProducts(uow, [id]);
  if (product === undefined) throw productNotFound(id);
  return product;
}

/**
 * A product as an app shows it.
 * @param available points of the asking account; undefined without one
 */
export function toRedeemableProductMessage(
  product: RedeemableProduct,
  available?: Amount,
): MessageInitShape<typeof RedeemableProductSchema> {
  const cost = amountFromDecimal(product.points_cost!);
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    pointsCost: amountToNumber(cost),
    inStock: product.in_stock,
    affordable: available === undefined ? undefined : available >= cost,
  };
}
