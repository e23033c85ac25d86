import { isMessage } from '@bufbuild/protobuf';
import { timestampMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Column } from './column.ts';

/** The order of rows: a column's key, with a minus before it for descending; '' for the service's order. */
export type Order = string;

/** The next order after a click on a heading: ascending, descending, then the service's order. */
export function nextOrder(order: Order, key: string): Order {
  if (order === key) return `-${key}`;
  return order === `-${key}` ? '' : key;
}

/** Whether any row has a value to sort by in the column. */
export function isSortable<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  return rows.some((row) => valueOf(column, row) !== undefined);
}

/** The sorted rows; rows without a value come last in either direction. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order): readonly Row[] {
  const falling = order.startsWith('-');
  const column = columns.find(({ key }) => key === (falling ? order.slice(1) : order));
  if (column === undefined) return rows;
  return rows.toSorted((one, other) => compare(valueOf(column, one), valueOf(column, other), falling ? -1 : 1));
}

/** The sort value of a row: from the column, otherwise the row's field of that name. */
function valueOf<Row>(column: Column<Row>, row: Row): string | number | undefined {
  const value: unknown = column.sort ? column.sort(row) : (row as Readonly<Record<string, unknown>>)[column.key];
  if (isMessage(value, TimestampSchema)) return timestampMs(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Names with numbers are sorted by the numbers: `guest-2` before `guest-10`. */
const words = new Intl.Collator(undefined, { numeric: true });

function compare(one: string | number | undefined, other: string | number | undefined, direction: number): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const numbers = typeof one === 'number' && typeof other === 'number';
  return direction * (numbers ? one - other : words.compare(String(one), String(other)));
}
