import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import type { RecordedRedemption } from '../../../../../src/redemptions/redemption.ts';
import { redemptionTable } from '../../../../../src/redemptions/redemption.entity.ts';
import { storeOf } from '../../store.ts';
import { insertInto } from '../persistence/insert-into.ts';

export async function insertRedemptions(uow: UnitOfWork, redemptions: readonly RecordedRedemption[]): Promise<void> {
  await insertRows(
    uow,
    redemptions.map(({ product, ...rest }) => ({ ...rest, productId: product.id, productName: product.name })),
  );
}

const insertRows = insertInto(redemptionTable);

export async function redemptionsById(
  uow: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, RecordedRedemption>> {
  const rows = storeOf(uow)
    .rows('redemption')
    .filter(({ id }) => ids.includes(id as string));
  return new Map(
    rows.map(({ productId, productName, ...row }) => [
      row['id'] as string,
      { ...row, product: { id: productId, name: productName } } as unknown as RecordedRedemption,
    ]),
  );
}
