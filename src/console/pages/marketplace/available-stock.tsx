import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';

/** Available units, the total, and the reason for the difference: some are reserved, or the agreement has fewer than the publication. */
export function AvailableStock(props: {
  /** All units, including `available` and reserved ones. */
  readonly stock: number;
  readonly availableStock: number;
  /** Units that reservations hold back; by default all that are not available. */
  readonly reserved?: number;
  /** Units of its agreement, if any. */
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
