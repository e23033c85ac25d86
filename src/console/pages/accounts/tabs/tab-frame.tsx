import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import type { ReactNode } from 'react';
import { failureOfQuery } from '../../../api/failure.ts';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { RowsTable } from '../../../table/rows-table.tsx';
import type { Column } from '../../../table/column.ts';

/** A tab with the complete list of one method for an account. */
export function TabFrame<Input extends DescMessage, Output extends DescMessage, Row>(props: {
  readonly method: DescMethodUnary<Input, Output>;
  readonly input: MessageInitShape<Input>;
  readonly rowsOf: (answer: MessageShape<Output>) => readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly label: string;
  readonly emptyHint: string;
  /** The actions on a row. */
  readonly rowActions?: (row: Row) => ReactNode;
}) {
  const query = useQuery(props.method, props.input);
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  if (error !== null) return <FailureAlert error={error} retry={() => void refetch()} />;
  return (
    <RowsTable
      label={props.label}
      rows={data && props.rowsOf(data)}
      rowKey={props.rowKey}
      columns={props.columns}
      fileName={props.label}
      {...(props.rowActions && { rowActions: props.rowActions })}
      empty={<EmptyState hint={props.emptyHint} />}
    />
  );
}
