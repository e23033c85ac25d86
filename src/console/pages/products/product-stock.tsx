import { Badge, Group, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Product } from '../../../../gen/laurel/admin/v1/product_pb.ts';

/** The units that are left, how many of them no publication has, and how many earned rewards wait for more. */
export function ProductStock({ product: { stock, free, allocated, waiting } }: { readonly product: Product }) {
  const t = useTranslations('products');
  const format = useFormatter();
  if (stock === undefined) return <Text inherit>{t('unlimited')}</Text>;
  return (
    <Group gap="xs" justify="flex-end" component="span">
      {waiting > 0 && <Badge color="yellow">{t('waitingBadge', { count: waiting })}</Badge>}
      <Text inherit c={stock === 0 ? 'red' : undefined} fw={stock === 0 ? 600 : undefined} className="laurel-number">
        {format.number(stock)}
      </Text>
      {(allocated ?? 0) > 0 && (
        <Text inherit c="dimmed" className="laurel-number">
          {t('ofWhichFree', { count: free ?? 0 })}
        </Text>
      )}
    </Group>
  );
}
