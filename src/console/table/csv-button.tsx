import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { saveFile } from '../api/download.ts';
import { notifyPart } from '../feedback/notify.tsx';
import { allRows } from './all-rows.ts';
import { csvOfMessages } from './csv-of-messages.ts';

/** Rows of one answer: the maximum of a list. */
const PAGE = 1_000;

/**
 * Fetches all rows that a table's filters, search and order give, on all pages, and saves them as a CSV file; says so where they
 * are more than a file holds.
 */
export function CsvButton<Input extends DescMessage, Output extends DescMessage>(props: {
  readonly id: string;
  readonly method: DescMethodUnary<Input, Output>;
  /** The request without page and limit. */
  readonly asked: object;
  /** Whether the list is empty; the button keeps its place, so that the content below does not jump. */
  readonly disabled: boolean;
}) {
  const t = useTranslations('table');
  const transport = useTransport();
  const fetching = useMutation({
    async mutationFn() {
      const { rows, isWhole } = await allRows<unknown, number>(async (page = 1) => {
        const request = { ...props.asked, page, limit: PAGE } as unknown as MessageInitShape<Input>;
        const answer = (await callUnaryMethod(transport, props.method, request)) as unknown as {
          readonly rows: readonly unknown[];
          readonly next: boolean;
        };
        return { rows: answer.rows, next: answer.next ? page + 1 : undefined };
      });
      const field = props.method.output.field['rows'];
      const text = csvOfMessages(field?.fieldKind === 'list' ? field.message : undefined, rows);
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${props.id}.csv`);
      if (!isWhole) notifyPart(t('csvPart', { count: rows.length }));
    },
  });
  return (
    <Button
      variant="default"
      ml="auto"
      leftSection={<Download size={16} aria-hidden />}
      loading={fetching.isPending}
      disabled={props.disabled}
      onClick={() => fetching.mutate()}
      title={t('csvHint')}
    >
      {t('csv')}
    </Button>
  );
}
