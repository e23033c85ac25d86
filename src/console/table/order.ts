import { isMessage } from '@bufbuild/protobuf';
import { timestampMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Column } from './column.ts';

/** By which column rows stand: its key, with a minus before it where the highest comes first; '' as they came. */
export type Order = string;

/** The order after somebody pressed a column's heading: rising, then falling, then as the rows came. */
export function nextOrder(order: Order, key: string): Order {
  if (order === key) return `-${key}`;
  return order === `-${key}` ? '' : key;
}

/** Whether rows can be told apart by a column. */
export function isSortable<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  return rows.some((row) => valueOf(column, row) !== undefined);
}

/** The rows in an order; those without a value come last, whichever way the others stand. */
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

/** Names with numbers in them stand as people count: `guest-2` before `guest-10`. */
const words = new Intl.Collator(undefined, { numeric: true });

function compare(one: string | number | undefined, other: string | number | undefined, direction: number): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const numbers = typeof one === 'number' && typeof other === 'number';
  return direction * (numbers ? one - other : words.compare(String(one), String(other)));
}
