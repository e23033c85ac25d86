import type { UnitOfWork } from '../../persistence/database.ts';
import type { Product } from '../products/product.ts';

/** Pieces of one product that one account holds. */
export type Holding = { readonly accountId: string; readonly product: Product; pieces: number };

/** Holdings of locked accounts. */
export type Holdings = Map<string, Holding>;

/** The holding of one account and product; empty if it has none yet. */
export function holdingOf(holdings: Holdings, accountId: string, product: Product): Holding {
  const key = `${accountId} ${product.id}`;
  const known = holdings.get(key);
  if (known !== undefined) return known;
  const empty = { accountId, product, pieces: 0 };
  holdings.set(key, empty);
  return empty;
}

/**
 * Units that pieces combine into.
 * @throws Error for a product without fragments: a reward of its fragments cannot be created
 */
export function unitsOf(product: Product, pieces: number): number {
  if (product.fragmentsRequired === undefined) throw new Error(`Product ${product.id} has no fragments.`);
  return Math.floor(pieces / product.fragmentsRequired);
}

/** Puts pieces into a holding, less those that combine into `units`. */
export function putPieces(holding: Holding, pieces: number, units: number): void {
  holding.pieces += pieces - units * (holding.product.fragmentsRequired ?? 0);
}

/** What these locked accounts hold of these products. */
export async function loadHoldings(
  uow: UnitOfWork,
  wanted: readonly { readonly accountId: string; readonly product: Product }[],
): Promise<Holdings> {
  const holdings: Holdings = new Map();
  for (const { accountId, product } of wanted) holdingOf(holdings, accountId, product);
  if (holdings.size === 0) return holdings;
  const keys = [...holdings.values()];
  const rows = await uow.query<{ account_id: string; product_id: string; pieces: number }>(
    `select f.account_id, f.product_id, f.pieces
       from fragment_balance f join unnest($2::uuid[], $3::uuid[]) as w(account_id, product_id)
         on f.account_id = w.account_id and f.product_id = w.product_id
      where f.client_id = $1`,
    [uow.clientId, keys.map((key) => key.accountId), keys.map((key) => key.product.id)],
  );
  for (const row of rows) holdings.get(`${row.account_id} ${row.product_id}`)!.pieces = row.pieces;
  return holdings;
}

/** Writes holdings of locked accounts as they are now. */
export async function saveHoldings(uow: UnitOfWork, holdings: Holdings): Promise<void> {
  if (holdings.size === 0) return;
  const rows = [...holdings.values()];
  await uow.query(
    `insert into fragment_balance (client_id, account_id, product_id, pieces)
     select $1::uuid, f.* from unnest($2::uuid[], $3::uuid[], $4::int[]) as f
     on conflict (client_id, account_id, product_id) do update set pieces = excluded.pieces`,
    [
      uow.clientId,
      rows.map((holding) => holding.accountId),
      rows.map((holding) => holding.product.id),
      rows.map((holding) => holding.pieces),
    ],
  );
}

/** Pieces of a product that an account holds, with what a reader wants to know of the product. */
export type HeldPieces = {
  readonly productId: string;
  readonly productName: string;
  readonly pieces: number;
  readonly piecesRequired: number;
};

/** What an account holds, by name of the product. */
export async function piecesOfAccount(uow: UnitOfWork, accountId: string): Promise<HeldPieces[]> {
  return uow.query<HeldPieces>(
    `select p.id as "productId", p.name as "productName", f.pieces, p.fragments_required as "piecesRequired"
       from fragment_balance f join product p on p.client_id = f.client_id and p.id = f.product_id
      where f.client_id = $1 and f.account_id = $2 and f.pieces > 0
      order by p.name, p.id`,
    [uow.clientId, accountId],
  );
}
