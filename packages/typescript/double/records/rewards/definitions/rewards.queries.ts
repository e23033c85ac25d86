import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import type { RewardDefinition } from '../../../../../../src/rewards/definitions/reward-definition.ts';
import { productOf } from '../../../product-of.ts';
import { type Row, storeOf } from '../../../store.ts';

export async function loadRewards(uow: UnitOfWork, ids?: readonly string[]): Promise<Map<string, RewardDefinition>> {
  const store = storeOf(uow);
  const products = new Map(store.rows('product').map((row) => [row['id'] as string, productOf(row)]));
  const rows = store.rows('reward').filter(({ id }) => ids === undefined || ids.includes(id as string));
  return new Map(
    rows.map((row) => {
      const {
        clientId: _,
        productId,
        deletedAt,
        createdAt: _created,
        updatedAt: _updated,
        ...rest
      } = withoutNulls(row);
      const reward = { ...rest, product: products.get(productId as string), archivedAt: deletedAt };
      return [row['id'] as string, reward as unknown as RewardDefinition];
    }),
  );
}

function withoutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]));
}
