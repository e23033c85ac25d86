import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';

/**
 * Units that can be had now, of how many, and why not all of them: some are held back, or the agreement has fewer than the
 * publication.
 */
export function AvailableStock(props: {
  /** All units; `available` and what is held back are parts of them. */
  readonly stock: number;
  readonly availableStock: number;
  /** Units that reservations hold back; by default all that are not available. */
  readonly reserved?: number;
  /** Units that its agreement has, where it has one. */
  readonly agreementAvailable?: number;
}) {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  const { stock, availableStock, reserved = stock - availableStock, agreementAvailable } = props;
  // A draft shows its own units, also where its agreement has fewer.
  const available = Math.min(availableStock, agreementAvailable ?? availableStock);
  const reasons = [
    ...(reserved > 0 ? [t('heldBack', { count: reserved })] : []),
    ...(agreementAvailable !== undefined && agreementAvailable < stock - reserved
      ? [t('agreementHas', { count: agreementAvailable })]
      : []),
  ];
  return (
    <Text inherit component="span" className="laurel-number">
      <Text inherit component="span" c={available === 0 ? 'red' : undefined} fw={available === 0 ? 600 : 450}>
        {format.number(available)}
      </Text>
      {stock > available && (
        <Text inherit component="span" c="dimmed">
          {' '}
          {t('ofUnits', { count: stock })}
        </Text>
      )}
      {reasons.length > 0 && (
        <Text size="xs" component="span" c="dimmed" display="block">
          {reasons.join(' · ')}
        </Text>
      )}
    </Text>
  );
}
