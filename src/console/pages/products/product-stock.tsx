import { Badge, Group, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Product } from '../../../../gen/laurel/admin/v1/product_pb.ts';

/** The remaining units, the free part, the number of pending rewards, and the reason for which no unit is available. */
export function ProductStock({
  product: { stock, free, allocated, waiting },
  justify = 'flex-start',
}: {
  readonly product: Product;
  /** The alignment: at the end in a column of numbers. */
  readonly justify?: 'flex-start' | 'flex-end';
}) {
  const t = useTranslations('products');
  const format = useFormatter();
  if (stock === undefined) return <Text inherit>{t('unlimited')}</Text>;
  const none = stock === 0 ? 'soldOut' : free === 0 ? 'noneFree' : undefined;
  return (
    <Group gap="xs" justify={justify} component="span">
      {waiting > 0 && (
        <Badge color="yellow" title={t('waitingTitle', { count: waiting })}>
          {t('waitingBadge', { count: waiting })}
        </Badge>
      )}
      {none !== undefined && (
        <Badge color="red" title={t(`${none}Hint`, { count: allocated ?? 0 })}>
          {t(none)}
        </Badge>
      )}
      <Text inherit className="laurel-number">
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
