import { Card, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Order } from './order.ts';
import { SaveMenu } from './save-menu.tsx';
import { type RowOptions, TableView } from './table-view.tsx';

/** The same height as the text of an empty table, so that the content below does not jump. */
const EXPECTED = 3;

/** A table without filters, such as an account's feed. Its rows are ordered here. */
export function RowsTable<Row>(
  props: RowOptions<Row> & {
    /** Undefined while they are on their way. */
    readonly rows: readonly Row[] | undefined;
    /** The name of the file in which the rows can be saved, without its ending; without it they cannot. */
    readonly fileName?: string;
    /** The content without rows. */
    readonly empty: ReactNode;
    /** False if other rows are on other pages, so that these cannot be ordered here. */
    readonly isWhole?: boolean;
    /** The content below the rows, such as the way to other pages. */
    readonly footer?: ReactNode;
  },
) {
  const [order, setOrder] = useState<Order>('');
  return (
    <Card p={0}>
      {props.rows?.length === 0 ? (
        props.empty
      ) : (
        <>
          <TableView {...props} order={order} onOrder={setOrder} expected={EXPECTED} />
          {props.fileName !== undefined && (
            <Group px="md" py="sm" style={{ borderTop: '1px solid var(--laurel-line)' }}>
              <SaveMenu
                fileName={props.fileName}
                columns={props.columns}
                fetchRows={() => Promise.resolve({ rows: props.rows ?? [], isWhole: true })}
                disabled={props.rows === undefined}
              />
            </Group>
          )}
          {props.footer}
        </>
      )}
    </Card>
  );
}
