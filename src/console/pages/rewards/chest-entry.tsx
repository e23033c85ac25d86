import { ActionIcon, Group, NumberInput, Switch, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Trash2 } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { rewards } from '../../form/references.ts';
import classes from './chest.module.css';
import type { ChestValues } from './chest-values.ts';

/** One possible content of a chest: a reward and its chance. */
export function ChestEntry(props: {
  readonly form: UseFormReturnType<ChestValues>;
  readonly index: number;
  /** From 0 to 1. */
  readonly chance: number;
  readonly locked: boolean;
}) {
  const t = useTranslations('rewards');
  const format = useFormatter();
  const { form, index, chance, locked } = props;
  const path = `entries.${index}` as const;
  const entry = form.values.entries[index];
  if (entry === undefined) return null;
  return (
    <div className={classes['entry']}>
      <div className={classes['reward']}>
        <ReferenceSelect
          of={rewards}
          label={t('reward')}
          placeholder={t('rewardPlaceholder')}
          required
          disabled={locked}
          {...form.getInputProps(`${path}.rewardId`)}
          value={entry.rewardId}
        />
      </div>
      <NumberInput
        label={t('weight')}
        allowDecimal={false}
        placeholder={entry.guaranteed ? '–' : ''}
        disabled={locked || entry.guaranteed}
        className={classes['weight'] ?? ''}
        {...form.getInputProps(`${path}.weight`)}
      />
      <Group className={classes['rest'] ?? ''} gap="sm" wrap="nowrap" justify="space-between">
        <Switch
          label={t('guaranteed')}
          disabled={locked}
          checked={entry.guaranteed}
          onChange={({ currentTarget: { checked } }) => form.setFieldValue(`${path}.guaranteed`, checked)}
        />
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" fw={550} ta="right" w={64} className="laurel-number" aria-label={t('chance')}>
            {entry.guaranteed ? t('always') : format.number(chance, { style: 'percent', maximumFractionDigits: 2 })}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('removeEntry', { number: index + 1 })}
            disabled={locked || form.values.entries.length === 1}
            onClick={() => form.removeListItem('entries', index)}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </div>
  );
}
