import { Card, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Column } from './column.ts';
import { type RowOptions, TableView } from './table-view.tsx';
import classes from './table.module.css';

type Order = { readonly key: string; readonly falling: boolean };

/** A table of rows that are all here, such as an account's feed: sorts by the columns that say how. */
export function RowsTable<Row>(
  props: RowOptions<Row> & {
    /** Undefined while they are on their way. */
    readonly rows: readonly Row[] | undefined;
    /** What stands there when there are none. */
    readonly empty: ReactNode;
  },
) {
  const [order, setOrder] = useState<Order>();
  if (props.rows?.length === 0) return <Card p={0}>{props.empty}</Card>;

  const header = (column: Column<Row>) => {
    if (column.sort === undefined) return column.title;
    const mine = order?.key === column.key ? order : undefined;
    const Icon = mine === undefined ? ChevronsUpDown : mine.falling ? ArrowDown : ArrowUp;
    return (
      <UnstyledButton
        className={classes['sort']}
        onClick={() => setOrder({ key: column.key, falling: mine?.falling === false })}
      >
        {column.title}
        <Icon size={13} aria-hidden />
      </UnstyledButton>
    );
  };
  return (
    <Card p={0}>
      <TableView {...props} rows={sorted(props.rows, props.columns, order)} header={header} />
    </Card>
  );
}

function sorted<Row>(rows: readonly Row[] | undefined, columns: readonly Column<Row>[], order: Order | undefined) {
  const by = columns.find(({ key }) => key === order?.key)?.sort;
  if (rows === undefined || by === undefined) return rows;
  const direction = order?.falling === true ? -1 : 1;
  return rows.toSorted((a, b) => direction * compare(by(a), by(b)));
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}
