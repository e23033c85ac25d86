import { Table, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { Column } from './column.ts';
import { nextOrder, type Order } from './order.ts';
import classes from './table.module.css';
import { useTitles } from './use-titles.ts';

/** A column's heading; for a sortable column, a button that sorts. */
export function Heading<Row>(props: {
  readonly column: Column<Row>;
  readonly order: Order;
  /** The handler of the sort; undefined for a column without one. */
  readonly onOrder: ((order: Order) => void) | undefined;
}) {
  const { column, order, onOrder } = props;
  const title = useTitles().titleOf(column);
  const standing = order === column.key ? 'ascending' : order === `-${column.key}` ? 'descending' : undefined;
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[standing ?? 'none'];
  return (
    <Table.Th
      role="columnheader"
      w={column.width}
      ta={column.align}
      data-wide={column.wideOnly}
      aria-sort={onOrder && standing}
    >
      {onOrder === undefined ? (
        title
      ) : (
        <UnstyledButton
          className={classes['sort']}
          data-align={column.align}
          onClick={() => onOrder(nextOrder(order, column.key))}
        >
          {title}
          <Icon size={13} aria-hidden data-standing={standing} />
        </UnstyledButton>
      )}
    </Table.Th>
  );
}
