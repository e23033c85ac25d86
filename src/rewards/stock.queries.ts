import type { UnitOfWork } from '../persistence/database.ts';
import type { StoredRedeemable } from '../redemptions/redemption.entity.ts';
import type { Product } from './product.ts';
import type { ProductStock, Stocks } from './stock.ts';

/**
 * Locks products in the order of their ids and gives their stocks. Whoever takes or adds units does so under this lock,
 * after the locks of accounts: then a count is exact, codes go out in order and nobody overtakes the queue, in one
 * statement each. UNLIMITED products are not locked: there is nothing to run out of. Why not SKIP LOCKED on the codes:
 * docs/decisions/0010.
 *
 * The stock must be read by the statement that locks: what a later subquery of it sees may be older than the lock.
 */
export async function lockStocks(uow: UnitOfWork, products: Iterable<Product>): Promise<Stocks> {
  const stocks: Stocks = new Map();
  for (const product of products) stocks.set(product.id, { product, units: 0, waiting: 0 });
  const counted = [...stocks.values()].filter(({ product }) => product.stockMode !== 'UNLIMITED');
  if (counted.length === 0) return stocks;
  const rows = await uow.query<{ id: string; stock: number; waiting: number }>(
    `select id, stock, waiting from product
      where client_id = $1 and id = any($2::uuid[]) order by id for no key update`,
    [uow.clientId, counted.map(({ product }) => product.id)],
  );
  for (const row of rows) Object.assign(stocks.get(row.id)!, { units: row.stock, waiting: row.waiting });
  return stocks;
}

/** Writes the stocks of locked products as they are now. */
export async function saveStocks(uow: UnitOfWork, stocks: Iterable<ProductStock>): Promise<void> {
  const counted = [...stocks].filter(({ product }) => product.stockMode !== 'UNLIMITED');
  if (counted.length === 0) return;
  await uow.query(
    `update product p set stock = s.stock, waiting = s.waiting
       from unnest($2::uuid[], $3::int[], $4::int[]) as s(id, stock, waiting)
      where p.client_id = $1 and p.id = s.id`,
    [
      uow.clientId,
      counted.map(({ product }) => product.id),
      counted.map(({ units }) => units),
      counted.map(({ waiting }) => waiting),
    ],
  );
}

/** Units of a CODES product that a redemption gets. */
export type CodeOrder = { readonly productId: string; readonly redemptionId: string; readonly units: number };

type TakenCodeRow = { id: string; redemption_id: string; code: string; item_id: string; item_name: string };

/**
 * Takes free codes of locked products, the oldest first, and gives them by redemption. The count of free codes was
 * checked under the lock; should fewer be found, the books are wrong and the transaction must not commit.
 */
export async function takeCodes(
  uow: UnitOfWork,
  orders: readonly CodeOrder[],
  now: Date,
): Promise<Map<string, StoredRedeemable[]>> {
  if (orders.length === 0) return new Map();
  const units = orders.flatMap((order) => Array.from({ length: order.units }, () => order));
  const rows = await uow.query<TakenCodeRow>(
    `with wanted as (
       select u.product_id, u.redemption_id, row_number() over (partition by u.product_id order by u.position) as turn
         from unnest($2::uuid[], $3::uuid[]) with ordinality as u(product_id, redemption_id, position)
     ), free as (
       select c.id, w.product_id, row_number() over (partition by w.product_id order by c.id) as turn
         from (select product_id, count(*) as units from wanted group by product_id) w
        cross join lateral (
          select id from product_code
           where client_id = $1 and product_id = w.product_id and redemption_id is null
           order by id limit w.units
        ) c
     )
     update product_code c set redemption_id = w.redemption_id, redeemed_at = $4
       from wanted w join free f on f.product_id = w.product_id and f.turn = w.turn, product_item i
      where c.client_id = $1 and c.id = f.id and c.redemption_id is null
        and i.client_id = $1 and i.id = c.item_id
     returning c.id, c.redemption_id, c.code, c.item_id, i.name as item_name`,
    [uow.clientId, units.map((unit) => unit.productId), units.map((unit) => unit.redemptionId), now],
  );
  if (rows.length !== units.length) throw new Error(`Of ${units.length} free codes only ${rows.length} were found.`);
  return byRedemption(rows);
}

function byRedemption(rows: readonly TakenCodeRow[]): Map<string, StoredRedeemable[]> {
  const taken = new Map<string, StoredRedeemable[]>();
  for (const row of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const codes = taken.get(row.redemption_id) ?? [];
    codes.push({ id: row.id, code: row.code, itemId: row.item_id, itemName: row.item_name });
    taken.set(row.redemption_id, codes);
  }
  return taken;
}
