import { Group, Pagination, Select, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type ChangeTable, pageSizes, type TableState } from './table-state.ts';

/** The footer of a table: the range of rows, the other pages, and the page size. */
export function TablePages(props: {
  readonly state: TableState;
  readonly totalRows: number | undefined;
  readonly totalPages: number | undefined;
  readonly onChange: ChangeTable;
}) {
  const t = useTranslations('table');
  const { state, totalRows, totalPages = 1 } = props;
  const first = (state.page - 1) * state.limit + 1;
  const last = Math.min(first + state.limit - 1, totalRows ?? 0);
  return (
    <Group justify="space-between" px="md" py="sm" mih={56} style={{ borderTop: '1px solid var(--laurel-line)' }}>
      <Text size="sm" c="dimmed" className="laurel-number" role="status">
        {totalRows === undefined
          ? t('loading')
          : totalRows === 0
            ? t('noRows')
            : t('range', { first, last, totalRows })}
      </Text>
      <Group gap="sm">
        {totalPages > 1 && (
          <Pagination
            size="sm"
            total={totalPages}
            value={state.page}
            onChange={(page) => props.onChange({ page })}
            siblings={0}
            getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'next' : 'previous') })}
            getItemProps={(page) => ({ 'aria-label': t('pageNumber', { page }) })}
          />
        )}
        <Select
          aria-label={t('pageSize')}
          size="xs"
          w={86}
          allowDeselect={false}
          data={pageSizes.map(String)}
          value={String(state.limit)}
          onChange={(size) => props.onChange({ limit: Number(size) }, 'replace')}
        />
      </Group>
    </Group>
  );
}
