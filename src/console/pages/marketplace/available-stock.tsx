import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';

/** Units that can still be bought, and how many are held back besides. */
export function AvailableStock({ stock, availableStock }: { readonly stock: number; readonly availableStock: number }) {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  const held = stock - availableStock;
  return (
    <Text inherit component="span" className="laurel-number">
      <Text inherit component="span" c={availableStock === 0 ? 'red' : undefined} fw={availableStock === 0 ? 600 : 450}>
        {format.number(availableStock)}
      </Text>
      {held > 0 && (
        <Text inherit component="span" c="dimmed">
          {' '}
          {t('held', { count: held })}
        </Text>
      )}
    </Text>
  );
}
