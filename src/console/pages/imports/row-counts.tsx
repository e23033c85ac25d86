import { Card, SimpleGrid, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Import } from '../../../../gen/laurel/admin/v1/import_pb.ts';

/** The outcomes of the processed rows. */
export function RowCounts({ of: shown }: { readonly of: Import }) {
  const t = useTranslations('imports');
  const counts = [
    { key: 'rowsCreated', count: shown.rowsCreated },
    { key: 'rowsUpdated', count: shown.rowsUpdated },
    { key: 'rowsUnchanged', count: shown.rowsUnchanged },
    { key: 'rowsRefused', count: shown.rowsRefused },
  ] as const;
  const format = useFormatter();
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm">
      {counts.map(({ key, count }) => (
        <Card key={key} padding="md">
          <Text size="xs" c="dimmed">
            {t(key)}
          </Text>
          <Text
            fz="1.5rem"
            fw={620}
            lh={1.3}
            className="laurel-number"
            c={key === 'rowsRefused' && count > 0 ? 'red' : undefined}
          >
            {format.number(count)}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`countHints.${key}`)}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  );
}
