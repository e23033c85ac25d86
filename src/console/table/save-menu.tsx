import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useFormatter, useLocale, useTimeZone, useTranslations } from 'use-intl';
import { saveFile } from '../api/download.ts';
import { notifyPart } from '../feedback/notify.tsx';
import type { Column } from './column.ts';
import { readableCells } from './readable-cells.ts';
import { useRowsReader } from './rows-reader.tsx';
import { csvBlob, csvOf, type Sheet, xlsxOf } from './spreadsheet.ts';
import { useTitles } from './use-titles.ts';

/** The kinds of files, in the order of the menu: for people first, then for programs. */
const KINDS = ['xlsx', 'csv', 'raw'] as const;

/** Saves the rows of a table as a file: as the table shows them, or with all fields and ids. Says so where a file does not hold them all. */
export function SaveMenu<Row>(props: {
  /** Without its ending. */
  readonly fileName: string;
  readonly columns: readonly Column<Row>[];
  readonly fetchRows: () => Promise<{ readonly rows: readonly Row[]; readonly isWhole: boolean }>;
  /** The CSV text with all fields, if there is one. */
  readonly rawOf?: ((rows: readonly Row[]) => string) | undefined;
  readonly disabled?: boolean;
}) {
  const t = useTranslations('table');
  const reading = { format: useFormatter(), locale: useLocale(), timeZone: useTimeZone() ?? 'UTC' };
  const { titleOf } = useTitles();
  const reader = useRowsReader<Row>();
  const { columns, rawOf } = props;

  async function shown(rows: readonly Row[]): Promise<Sheet> {
    const texts = await reader.read(columns, rows);
    const numeric = columns.map(({ align }) => align === 'right');
    return {
      titles: columns.map(titleOf),
      rows: texts.map((row, index) => readableCells(row, numeric, rows[index], reading)),
    };
  }

  const saving = useMutation({
    async mutationFn(kind: (typeof KINDS)[number]) {
      const { rows, isWhole } = await props.fetchRows();
      if (kind === 'xlsx') saveFile(await xlsxOf(await shown(rows)), `${props.fileName}.xlsx`);
      if (kind === 'csv') saveFile(csvOf(await shown(rows)), `${props.fileName}.csv`);
      if (kind === 'raw' && rawOf) saveFile(csvBlob(rawOf(rows)), `${props.fileName}-raw.csv`);
      if (!isWhole) notifyPart(t('savedPart', { count: rows.length }));
    },
  });
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            ml="auto"
            leftSection={<Download size={16} aria-hidden />}
            loading={saving.isPending}
            disabled={props.disabled}
            title={t('saveHint')}
          >
            {t('save')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.filter((kind) => kind !== 'raw' || rawOf !== undefined).map((kind) => (
            <Menu.Item key={kind} onClick={() => saving.mutate(kind)}>
              {t(`saveAs.${kind}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {reader.hidden}
    </>
  );
}
