import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query';
import type { Column, RowOf } from './column.ts';
import { allRows } from './all-rows.ts';
import { csvOfMessages } from './csv-of-messages.ts';
import { SaveMenu } from './save-menu.tsx';

/** Rows of one answer: the maximum of a list. */
const PAGE = 1_000;

/** Saves all rows that a table's filters, search and order give, on all pages. */
export function SaveButton<Input extends DescMessage, Output extends DescMessage>(props: {
  readonly id: string;
  readonly method: DescMethodUnary<Input, Output>;
  readonly columns: readonly Column<RowOf<Output>>[];
  /** The request without page and limit. */
  readonly asked: object;
  /** Whether the list is empty; the button keeps its place, so that the content below does not jump. */
  readonly disabled: boolean;
}) {
  const transport = useTransport();
  const field = props.method.output.field['rows'];
  const message = field?.fieldKind === 'list' ? field.message : undefined;

  const fetchRows = () =>
    allRows<RowOf<Output>, number>(async (page = 1) => {
      const request = { ...props.asked, page, limit: PAGE } as unknown as MessageInitShape<Input>;
      const answer = (await callUnaryMethod(transport, props.method, request)) as unknown as {
        readonly rows: readonly RowOf<Output>[];
        readonly next: boolean;
      };
      return { rows: answer.rows, next: answer.next ? page + 1 : undefined };
    });
  return (
    <SaveMenu
      fileName={props.id}
      columns={props.columns}
      fetchRows={fetchRows}
      rawOf={(rows) => csvOfMessages(message, rows)}
      disabled={props.disabled}
    />
  );
}
