import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { TYPES_OF_PIECES } from '../definitions/reward-types.ts';
import type { Product } from '../products/product.ts';
import { fragmentBalanceTable } from './fragment-balance.entity.ts';

/** Pieces of a pending reward, and the stored number of units that it needs. */
type WaitingPieces = { readonly pieces: number; readonly unitsNeeded: number | null };

/** The pieces of one product in one account. */
export type Holding = {
  readonly accountId: string;
  readonly product: Product;
  pieces: number;
  /** Pending rewards of the account for pieces of the product, by id. The caller removes delivered ones. */
  readonly waiting: Map<string, WaitingPieces>;
};

/** Holdings of locked accounts. */
export type Holdings = Map<string, Holding>;

/** The holding of one account and product; a new empty one by default. */
export function holdingOf(holdings: Holdings, accountId: string, product: Product): Holding {
  const key = `${accountId} ${product.id}`;
  const known = holdings.get(key);
  if (known !== undefined) return known;
  const empty: Holding = { accountId, product, pieces: 0, waiting: new Map() };
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

type HoldingRow = {
  readonly account_id: string;
  readonly product_id: string;
  readonly pieces: number | null;
  readonly waiting_id: string | null;
  readonly waiting_pieces: number;
  readonly units_needed: number | null;
};

/** The pieces of these products in these locked accounts, including waiting ones. */
export async function loadHoldings(
  uow: UnitOfWork,
  wanted: readonly { readonly accountId: string; readonly product: Product }[],
): Promise<Holdings> {
  const holdings: Holdings = new Map();
  for (const { accountId, product } of wanted) holdingOf(holdings, accountId, product);
  if (holdings.size === 0) return holdings;
  const keys = [...holdings.values()];
  const key = { account_id: 'w.account_id', product_id: 'w.product_id' };
  const rows = await uow.query<HoldingRow>(
    `select w.account_id, w.product_id, f.pieces, e.id as waiting_id, e.amount::int as waiting_pieces, e.units_needed
       from unnest($2::uuid[], $3::uuid[]) as w(account_id, product_id)
       left join ${lookUpByKey({ select: 'pieces', from: 'fragment_balance', key })} f on true
       left join ${lookUpByKey({
         select: 'id, amount, units_needed',
         from: 'earned_reward',
         key,
         many: true,
         and: `status = 'PENDING_STOCK' and reward_type = any($4)`,
       })} e on true`,
    [uow.clientId, keys.map(({ accountId }) => accountId), keys.map(({ product }) => product.id), TYPES_OF_PIECES],
  );
  for (const row of rows) {
    const holding = holdings.get(`${row.account_id} ${row.product_id}`)!;
    holding.pieces = row.pieces ?? 0;
    const { waiting_id: id, waiting_pieces: pieces, units_needed: unitsNeeded } = row;
    if (id !== null) holding.waiting.set(id, { pieces, unitsNeeded });
  }
  return holdings;
}

/** Saves the holdings of locked accounts, and the units that their waiting pieces now need. */
export async function saveHoldings(uow: UnitOfWork, holdings: Holdings): Promise<void> {
  if (holdings.size === 0) return;
  const rows = [...holdings.values()];
  await saveBalances(
    uow,
    rows.map(({ accountId, product, pieces }) => ({ accountId, productId: product.id, pieces })),
  );
  await saveNeeds(uow, rows);
}

const saveBalances = insertInto(fragmentBalanceTable, {
  conflict: { key: ['accountId', 'productId'], do: 'update' },
});

/** Saves the units that waiting pieces need with these holdings, if they differ from the stored ones. */
export async function saveNeeds(uow: UnitOfWork, holdings: readonly Holding[]): Promise<void> {
  const changed = holdings.flatMap(({ product, pieces, waiting }) =>
    [...waiting].flatMap(([id, reward]) => {
      const units = unitsOf(product, pieces + reward.pieces);
      return units === reward.unitsNeeded ? [] : { id, units };
    }),
  );
  if (changed.length === 0) return;
  await uow.query(
    `update earned_reward e set units_needed = n.units
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::int[]) as n(id, units)',
         alias: 'n',
         table: 'earned_reward',
         key: { id: 'n.id' },
       })} where e.client_id = $1 and e.ctid = n.row_ctid and e.status = 'PENDING_STOCK'`,
    [uow.clientId, changed.map(({ id }) => id), changed.map(({ units }) => units)],
  );
}

/** The earned pieces of a product in an account, with facts about the product. */
export type EarnedPieces = {
  readonly productId: string;
  readonly productName: string;
  /** Pieces that are not combined yet, including waiting ones. */
  readonly pieces: number;
  readonly piecesRequired: number;
  /** The pieces of pending rewards, or null. */
  readonly waitingPieces: number | null;
};

/** Waiting pieces of product `$3` of the account `$2`, by the account and not by the shared queue. */
const WAITING = lookUpByKey({
  select: 'product_id, amount',
  from: 'earned_reward',
  key: { account_id: '$2::uuid' },
  many: true,
  and: `status = 'PENDING_STOCK' and reward_type = any($3)`,
});

/** The pieces of an account by name of the product, including those that wait for stock. */
export async function piecesOfAccount(uow: UnitOfWork, accountId: string): Promise<EarnedPieces[]> {
  return uow.query<EarnedPieces>(
    `with held as (
       select product_id, pieces from fragment_balance where client_id = $1 and account_id = $2 and pieces > 0
     ), waiting as (
       select product_id, sum(amount)::int as pieces from ${WAITING} r group by product_id
     ), earned as materialized (
       select product_id, coalesce(h.pieces, 0) + coalesce(w.pieces, 0) as pieces, w.pieces as waiting
         from held h full join waiting w using (product_id)
     )
     select p.id as "productId", p.name as "productName", e.pieces, p.fragments_required as "piecesRequired",
            e.waiting as "waitingPieces"
       from earned e
      cross join ${lookUpByKey({ select: 'id, name, fragments_required', from: 'product', key: { id: 'e.product_id' } })} p
      order by p.name, p.id`,
    [uow.clientId, accountId, TYPES_OF_PIECES],
  );
}
