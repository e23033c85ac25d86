import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { TimeField } from '../../form/time-field.tsx';
import type { CampaignValues } from './campaign-values.ts';
import { hasField, periods } from './mission-types.ts';

/** What completes a mission, and within which time: the fields that its type knows. */
export function TargetFields(props: {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly index: number;
  readonly locked: boolean;
}) {
  const t = useTranslations('campaigns');
  const { form, index, locked } = props;
  const path = `missions.${index}` as const;
  const mission = form.values.missions[index];
  if (mission === undefined) return null;
  const { type } = mission;
  const field = { disabled: locked, inputWrapperOrder: ['label', 'input', 'description', 'error'] as never };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        {...field}
        label={t('target')}
        description={t(`targetHints.${type}`)}
        withAsterisk
        decimalScale={4}
        {...form.getInputProps(`${path}.target`)}
      />
      {hasField(type, 'period') && (
        <Select
          {...field}
          label={t('period')}
          description={t('periodHint')}
          allowDeselect={false}
          data={periods.map((value) => ({ value, label: t(`periods.${value}`) }))}
          {...form.getInputProps(`${path}.period`)}
        />
      )}
      {hasField(type, 'perPeriodTarget') && (
        <NumberInput
          {...field}
          label={t('perPeriodTarget')}
          description={t('perPeriodTargetHint')}
          placeholder="1"
          decimalScale={4}
          {...form.getInputProps(`${path}.perPeriodTarget`)}
        />
      )}
      {hasField(type, 'gracePeriods') && (
        <NumberInput
          {...field}
          label={t('gracePeriods')}
          description={t('gracePeriodsHint')}
          placeholder="0"
          allowDecimal={false}
          {...form.getInputProps(`${path}.gracePeriods`)}
        />
      )}
      {hasField(type, 'occurrences') && (
        <NumberInput
          {...field}
          label={t('occurrences')}
          description={t('occurrencesHint')}
          withAsterisk
          allowDecimal={false}
          {...form.getInputProps(`${path}.occurrences`)}
        />
      )}
      {hasField(type, 'durationDays') && (
        <NumberInput
          {...field}
          label={t('durationDays')}
          description={t('durationDaysHint')}
          allowDecimal={false}
          {...form.getInputProps(`${path}.durationDays`)}
        />
      )}
      {hasField(type, 'endsAt') && (
        <TimeField
          label={t('challengeEnd')}
          description={t('challengeEndHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps(`${path}.endsAt`)}
        />
      )}
    </SimpleGrid>
  );
}
