import { amountFromDecimal } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { limitedKeys, lookUpByKey } from '../../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { type ProductRow, productFromRow } from '../products/products.queries.ts';
import type { RewardDefinition, WholeDefinition } from './reward-definition.ts';
import { REWARD_TYPES, rewardTypeRules } from './reward-types.ts';
import { type RewardEntity, rewardTable } from './reward.entity.ts';

const COLUMNS = columnsOf(
  rewardTable,
  [
    'id',
    'name',
    'type',
    'amount',
    'chestId',
    'expiresInDays',
    'amountExpression',
    'imageUrl',
    'description',
    'secret',
    'onReversal',
    'version',
    'deletedAt',
  ],
  'r',
);

type RewardRow = RowOf<typeof COLUMNS> & { readonly product: ProductRow | null };

/** All rewards of the client, or those with these ids, by id. */
export async function loadRewards(uow: UnitOfWork, ids?: readonly string[]): Promise<Map<string, RewardDefinition>> {
  const rewards =
    ids === undefined
      ? '(select * from reward where client_id = $1)'
      : `${limitedKeys('unnest($2::uuid[]) as wanted(id)', 'wanted')}
        cross join ${lookUpByKey({ select: '*', from: 'reward', key: { id: 'wanted.id' } })}`;
  const product = lookUpByKey({
    select: 'id, name, stock_mode, fragments_required, points_cost::text, deleted_at is not null as archived',
    from: 'product',
    key: { id: 'r.product_id' },
  });
  const rows = await uow.query<RewardRow>(
    `select ${COLUMNS}, to_jsonb(p) as product from ${rewards} r left join ${product} p on true`,
    [uow.clientId, ...(ids === undefined ? [] : [[...new Set(ids)]])],
  );
  return new Map(rows.map((row) => [row.id, definitionFromRow(row)]));
}

/**
 * One reward.
 * @throws DomainError `REWARD_NOT_FOUND`
 */
export async function requireReward(uow: UnitOfWork, id: string): Promise<RewardDefinition> {
  const [reward] = (await loadRewards(uow, [id])).values();
  if (reward === undefined) throw new DomainError('REWARD_NOT_FOUND', sentence`There is no reward ${id}.`);
  return reward;
}

/** A reward that was read under the lock of the catalogue, for a change. */
export function rewardEntity(uow: UnitOfWork, { id }: RewardDefinition): Promise<RewardEntity> {
  return uow.em.findOneOrFail(rewardTable, { clientId: uow.clientId, id });
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
  orderable: {
    name: { column: 'name' },
    type: { column: 'type' },
    amount: { column: 'amount' },
  },
  searched: { ids: ['id'], parts: ['name'] },
});

function definitionFromRow(row: RewardRow): WholeDefinition {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    amount: amountFromDecimal(row.amount),
    product: row.product === null ? undefined : productFromRow(row.product),
    chestId: row.chest_id ?? undefined,
    expiresInDays: row.expires_in_days ?? undefined,
    amountExpression: row.amount_expression ?? undefined,
    imageUrl: row.image_url ?? undefined,
    description: row.description ?? undefined,
    secret: row.secret ?? undefined,
    onReversal: row.on_reversal ?? rewardTypeRules[row.type].onReversal,
    version: row.version,
    archivedAt: row.deleted_at ?? undefined,
  };
}

/** Rewards in use that give units or pieces of products: the product's id by the reward's. */
export async function rewardsGiving(uow: UnitOfWork, productIds: readonly string[]): Promise<Map<string, string>> {
  if (productIds.length === 0) return new Map();
  const rows = await uow.query<{ id: string; product_id: string }>(
    `select id, product_id from reward where client_id = $1 and product_id = any($2::uuid[]) and deleted_at is null`,
    [uow.clientId, productIds],
  );
  return new Map(rows.map(({ id, product_id: productId }) => [id, productId]));
}
