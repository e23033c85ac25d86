import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';

/**
 * Units that can be bought now, and of how many: the others are held back, or the agreement has fewer than the publication.
 */
export function AvailableStock({ stock, availableStock }: { readonly stock: number; readonly availableStock: number }) {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  return (
    <Text inherit component="span" className="laurel-number">
      <Text inherit component="span" c={availableStock === 0 ? 'red' : undefined} fw={availableStock === 0 ? 600 : 450}>
        {format.number(availableStock)}
      </Text>
      {stock > availableStock && (
        <Text inherit component="span" c="dimmed">
          {' '}
          {t('ofUnits', { count: stock })}
        </Text>
      )}
    </Text>
  );
}
