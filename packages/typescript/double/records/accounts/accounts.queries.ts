import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import type { AccountKeys } from '../../../../../src/accounts/resolving/account-ref.ts';
import { driverRow, type Row, storeOf } from '../../store.ts';

export async function readByIds(uow: UnitOfWork, ids: readonly string[]): Promise<Row[]> {
  return found(uow, (row) => ids.includes(row['id'] as string));
}

export async function readByExternalIds(uow: UnitOfWork, externalIds: readonly string[]): Promise<Row[]> {
  return found(uow, (row) => externalIds.includes(row['externalId'] as string));
}

export async function lockKeys(uow: UnitOfWork, { ids, externalIds }: AccountKeys): Promise<Row[]> {
  const rows = found(
    uow,
    ({ id, externalId }) => ids.includes(id as string) || externalIds.includes(externalId as string),
  );
  return rows.map((row) => ({ ...row, alias_id: null, alias_external_id: null }));
}

function found(uow: UnitOfWork, meets: (row: Row) => boolean): Row[] {
  const rows = storeOf(uow).rows('account');
  return rows.filter((row) => row['deletedAt'] === null && meets(row)).map(driverRow);
}
