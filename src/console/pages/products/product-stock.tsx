import { Badge, Group, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Product } from '../../../../gen/laurel/admin/v1/product_pb.ts';

/** The units that are left, and how many earned rewards wait for more. */
export function ProductStock({ product: { stock, waiting } }: { readonly product: Product }) {
  const t = useTranslations('products');
  const format = useFormatter();
  if (stock === undefined) return <Text inherit>{t('unlimited')}</Text>;
  return (
    <Group gap="xs" justify="flex-end" component="span">
      {waiting > 0 && <Badge color="yellow">{t('waitingBadge', { count: waiting })}</Badge>}
      <Text inherit c={stock === 0 ? 'red' : undefined} fw={stock === 0 ? 600 : undefined} className="laurel-number">
        {format.number(stock)}
      </Text>
    </Group>
  );
}
