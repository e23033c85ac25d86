import { Skeleton, Table } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import type { Column } from './column.ts';
import { Heading } from './heading.tsx';
import { isSortable, type Order, sorted } from './order.ts';
import classes from './table.module.css';
import { useTitles } from './use-titles.ts';

/** The common properties of tables. */
export type RowOptions<Row> = {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Where a row leads; its first cell becomes the link, and a click anywhere on the row follows it. */
  readonly rowPath?: (row: Row) => string | undefined;
  /** The actions on a row, in its last cell. */
  readonly rowActions?: (row: Row) => ReactNode;
};

/** The rows themselves. On a phone each row becomes a block, with the headings before the values. */
export function TableView<Row>(
  props: RowOptions<Row> & {
    /** Undefined while they are on their way. */
    readonly rows: readonly Row[] | undefined;
    /** Grey lines while the rows are on their way. */
    readonly expected?: number;
    readonly order?: Order;
    /** Called with the new order; undefined if the rows cannot be sorted. */
    readonly onOrder?: ((order: Order) => void) | undefined;
    /** The columns of the service's order, if one was requested. */
    readonly ordered?: readonly string[];
    /** Whether no rows are on other pages, so that they can be ordered here by the other columns. */
    readonly isWhole?: boolean;
  },
) {
  const t = useTranslations('table');
  const { columns, rowActions, onOrder, order = '', ordered = [], isWhole = true } = props;
  const isOrdered = ordered.includes(order.replace(/^-/, ''));
  const rows = props.rows && onOrder && isWhole && !isOrdered ? sorted(props.rows, columns, order) : props.rows;
  const canOrder = (column: Column<Row>) =>
    ordered.includes(column.key) || (isWhole && rows !== undefined && isSortable(column, rows));
  return (
    <Table className={classes['table']} aria-label={props.label} aria-busy={rows === undefined} role="table">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((column) => (
            <Heading key={column.key} column={column} order={order} onOrder={canOrder(column) ? onOrder : undefined} />
          ))}
          {rowActions && (
            <Table.Th role="columnheader" w={1} aria-label={t('actions')} className={classes['actions']} />
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows === undefined ? (
          <SkeletonRows rows={props.expected ?? 8} columns={columns.length + (rowActions ? 1 : 0)} />
        ) : (
          rows.map((row) => <Row key={props.rowKey(row)} row={row} {...props} />)
        )}
      </Table.Tbody>
    </Table>
  );
}

function Row<Row>(props: RowOptions<Row> & { readonly row: Row }) {
  const { row, columns, rowActions } = props;
  const navigate = useNavigate();
  const { titleOf } = useTitles();
  const path = props.rowPath?.(row);

  function follow(event: MouseEvent<HTMLElement>): void {
    const onControl = (event.target as HTMLElement).closest('a, button, input, label, [role=menuitem]') !== null;
    if (path === undefined || onControl || window.getSelection()?.isCollapsed === false) return;
    void navigate(path);
  }

  return (
    <Table.Tr role="row" onClick={follow} data-leads={path !== undefined || undefined}>
      {columns.map((column, index) => (
        <Table.Td
          key={column.key}
          role="cell"
          ta={column.align}
          data-align={column.align}
          data-label={titleOf(column)}
          data-wide={column.wideOnly}
          className={index === 0 ? classes['first'] : undefined}
        >
          {index === 0 && path !== undefined ? (
            <Link to={path} className={classes['link']}>
              {clamped(column.render(row))}
            </Link>
          ) : (
            clamped(column.render(row))
          )}
        </Table.Td>
      ))}
      {rowActions && (
        <Table.Td role="cell" className={classes['actions']}>
          {rowActions(row)}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function SkeletonRows({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row} role="row">
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column} role="cell">
          <Skeleton h={20} w={column === 0 ? '70%' : '50%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

/** Letters from which on a text may take more than three lines of a narrow column. */
const LONG = 60;

/** The content of empty fields. */
export const NOTHING = '–';

function isEmpty(content: ReactNode): boolean {
  return content === undefined || content === null || content === '' || content === false;
}

/** A long text in at most three lines, so that one row does not fill the screen; a tooltip has the full text. */
function clamped(content: ReactNode): ReactNode {
  if (isEmpty(content)) return NOTHING;
  if (typeof content !== 'string' || content.length < LONG) return content;
  return (
    <span className={classes['clamped']} title={content}>
      {content}
    </span>
  );
}
