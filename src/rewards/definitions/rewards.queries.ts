import { amountFromDecimal, amountToDecimal } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { type ProductRow, productFromRow } from '../products/products.queries.ts';
import type { RewardDefinition } from './reward-definition.ts';
import { REWARD_TYPES, type RewardType } from './reward-types.ts';

/** Writes a new reward. */
export async function insertReward(uow: UnitOfWork, reward: RewardDefinition): Promise<void> {
  await uow.query(
    `insert into reward (client_id, id, name, type, amount, product_id, chest_id, expires_in_days)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      uow.clientId,
      reward.id,
      reward.name,
      reward.type,
      amountToDecimal(reward.amount),
      reward.product?.id ?? null,
      reward.chestId ?? null,
      reward.expiresInDays ?? null,
    ],
  );
}

/** All rewards of the client, or those with these ids, by id. */
export async function loadRewards(uow: UnitOfWork, ids?: readonly string[]): Promise<Map<string, RewardDefinition>> {
  const rows = await uow.query<RewardRow>(
    `select r.id, r.name, r.type, r.amount, r.chest_id, r.expires_in_days, r.version, r.deleted_at, to_jsonb(p) as product
       from reward r left join lateral (
         select id, name, stock_mode, fragments_required, points_cost::text, deleted_at is not null as archived from product
          where client_id = $1 and id = r.product_id
       ) p on true
      where r.client_id = $1 and (r.id = any($2::uuid[])) is not false`,
    [uow.clientId, ids ?? null],
  );
  return new Map(rows.map((row) => [row.id, definitionFromRow(row)]));
}

/**
 * One reward.
 * @throws DomainError `REWARD_NOT_FOUND`
 */
export async function requireReward(uow: UnitOfWork, id: string): Promise<RewardDefinition> {
  const [reward] = (await loadRewards(uow, [id])).values();
  if (reward === undefined) throw new DomainError('REWARD_NOT_FOUND', `There is no reward ${id}.`);
  return reward;
}

/** Renames a reward, under the lock of the catalogue. */
export async function renameReward(uow: UnitOfWork, id: string, name: string, now: Date): Promise<void> {
  await uow.query(
    `update reward set name = $3, version = version + 1, updated_at = $4 where client_id = $1 and id = $2`,
    [uow.clientId, id, name, now],
  );
}

/** Archives a reward, under the lock of the catalogue. */
export async function archiveRewardRow(uow: UnitOfWork, id: string, now: Date): Promise<void> {
  await uow.query(
    `update reward set deleted_at = $3, version = version + 1, updated_at = $3 where client_id = $1 and id = $2`,
    [uow.clientId, id, now],
  );
}

/** Of some products, those that have a stock and nothing in it. */
export async function productsWithoutStock(uow: UnitOfWork, productIds: readonly string[]): Promise<Set<string>> {
  const rows = await uow.query<{ id: string }>(
    `select id from product
      where client_id = $1 and id = any($2::uuid[]) and stock_mode <> 'UNLIMITED' and stock = 0`,
    [uow.clientId, productIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Ids of rewards by page, by name. */
export const rewardPage = pagedList<{ id: string; name: string }>({
  from: 'reward',
  columns: 'id, name',
  orderBy: ['name', 'id'],
  deletable: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    type: { kind: 'enum', column: 'type', values: REWARD_TYPES },
    productId: { kind: 'uuid', column: 'product_id' },
  },
});

type RewardRow = {
  id: string;
  name: string;
  type: RewardType;
  amount: string;
  chest_id: string | null;
  expires_in_days: number | null;
  version: number;
  deleted_at: Date | null;
  product: ProductRow | null;
};

function definitionFromRow(row: RewardRow): RewardDefinition {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    amount: amountFromDecimal(row.amount),
    product: row.product === null ? undefined : productFromRow(row.product),
    chestId: row.chest_id ?? undefined,
    expiresInDays: row.expires_in_days ?? undefined,
    version: row.version,
    archivedAt: row.deleted_at ?? undefined,
  };
}
