import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { tableOf, UniqueConstraintViolationException } from '../../orm.ts';
import { driverRow, newRow, type Row, storeOf } from '../../store.ts';

type Conflict = {
  readonly key: readonly string[];
  readonly where?: string;
  readonly do: string;
  readonly keep?: readonly string[];
};

/** The same statement in memory; it returns all columns of the written rows. */
export function insertInto(named: unknown, { conflict }: { readonly conflict?: Conflict } = {}) {
  return async (uow: UnitOfWork, rows: readonly Row[]): Promise<Row[]> => {
    const table = tableOf(named);
    const store = storeOf(uow);
    const keys = Object.entries(table.properties).flatMap(([name, { made }]) => (made.isPrimary ? [name] : []));
    return rows.flatMap((sent) => {
      const row = newRow(table, sent);
      const among = conflict?.key ?? keys;
      const existing = store
        .rows(table.tableName)
        .find(
          (other) =>
            among.every((name) => other[name] === row[name]) && (!conflict?.where || other['deletedAt'] === null),
        );
      if (existing === undefined) store.put(table, row);
      else if (conflict === undefined) throw new UniqueConstraintViolationException(`${table.tableName}_pkey`);
      else if (conflict.do === 'nothing') return [];
      else {
        const kept = Object.fromEntries((conflict.keep ?? []).map((name) => [name, existing[name] as unknown]));
        store.put(table, { ...row, ...kept });
      }
      return [driverRow(row)];
    });
  };
}
