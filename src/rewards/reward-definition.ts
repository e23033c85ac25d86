import { type Amount, amountFromDecimal, ONE } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Product, StockMode } from './product.ts';

/** What a reward delivers. */
export type RewardType = 'PRODUCTS' | 'FRAGMENTS' | 'POINTS' | 'CHEST';

/** What an account can earn, with what delivering it needs to know. */
export type RewardDefinition = {
  readonly id: string;
  readonly name: string;
  readonly type: RewardType;
  /** Units, pieces, points or chests; whole numbers except for points. */
  readonly amount: Amount;
  /** For PRODUCTS and FRAGMENTS. A product's mode and pieces never change, so they may be remembered. */
  readonly product?: Product | undefined;
  /** For CHEST: the chest's definition. */
  readonly chestId?: string | undefined;
  /** Days of 24 hours after which POINTS expire; undefined means never. */
  readonly expiresInDays?: number | undefined;
};

type RewardRow = {
  id: string;
  name: string;
  type: RewardType;
  amount: string;
  product_id: string | null;
  chest_id: string | null;
  expires_in_days: number | null;
  product_name: string;
  stock_mode: StockMode;
  fragments_required: number | null;
  points_cost: string | null;
};

/** All rewards of the client, by id. */
export async function loadRewards(uow: UnitOfWork): Promise<Map<string, RewardDefinition>> {
  const rows = await uow.query<RewardRow>(
    `select r.id, r.name, r.type, r.amount, r.product_id, r.chest_id, r.expires_in_days,
            p.name as product_name, p.stock_mode, p.fragments_required, p.points_cost
       from reward r left join product p on p.client_id = r.client_id and p.id = r.product_id
      where r.client_id = $1`,
    [uow.clientId],
  );
  return new Map(rows.map((row) => [row.id, definitionFromRow(row)]));
}

/** A whole amount as a number: units, pieces or chests. */
export function wholeAmount({ amount }: Pick<RewardDefinition, 'amount'>): number {
  return Number(amount / ONE);
}

function definitionFromRow(row: RewardRow): RewardDefinition {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    amount: amountFromDecimal(row.amount),
    product: row.product_id === null ? undefined : productFromRow(row.product_id, row),
    chestId: row.chest_id ?? undefined,
    expiresInDays: row.expires_in_days ?? undefined,
  };
}

function productFromRow(id: string, row: RewardRow): Product {
  return {
    id,
    name: row.product_name,
    stockMode: row.stock_mode,
    fragmentsRequired: row.fragments_required ?? undefined,
    pointsCost: row.points_cost === null ? undefined : amountFromDecimal(row.points_cost),
  };
}
