import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { EventDefinition_Type } from '../../../../../gen/laurel/v1/event_definition_pb.ts';
import { useEventDefinition } from '../../../attributes/use-event-definition.ts';
import { TimeField } from '../../../form/time-field.tsx';
import { isEndless, repeats } from './campaign-values.ts';
import type { MissionForm } from './mission-form.ts';
import { countedValues, hasField, pastPeriodValues, periods, repetitions } from '../mission-types.ts';

/** The target and the time of a mission: the fields of its type. */
export function TargetFields(props: { readonly form: MissionForm; readonly locked: boolean }) {
  const t = useTranslations('campaigns');
  const { form, locked } = props;
  const { type } = form.values;
  const isOfAmounts = useEventDefinition(form.values.programmaticCode)?.type === EventDefinition_Type.AMOUNT;
  const field = { disabled: locked, inputWrapperOrder: ['label', 'input', 'description', 'error'] as never };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {!isEndless(form.values) && (
        <NumberInput
          {...field}
          label={t('target')}
          description={t(`targetHints.${type}`)}
          withAsterisk
          decimalScale={4}
          {...form.getInputProps('target')}
        />
      )}
      {(isOfAmounts || form.values.counts === 'EVENTS') && (
        <Select
          {...field}
          label={t('counts')}
          description={t('countsHint')}
          allowDeselect={false}
          data={countedValues.map((value) => ({ value, label: t(`counted.${value}`) }))}
          {...form.getInputProps('counts')}
        />
      )}
      {hasField(type, 'repeat') && (
        <Select
          {...field}
          label={t('repeat')}
          description={t('repeatHint')}
          allowDeselect={false}
          data={repetitions.map((value) => ({ value, label: t(`repetitions.${value}`) }))}
          {...form.getInputProps('repeat.mode')}
        />
      )}
      {repeats(form.values) && (
        <NumberInput
          {...field}
          label={t('roundsMax')}
          description={t('roundsMaxHint')}
          placeholder={t('roundsWithoutEnd')}
          allowDecimal={false}
          {...form.getInputProps('repeat.max')}
        />
      )}
      {hasField(type, 'period') && (
        <Select
          {...field}
          label={t('period')}
          description={t('periodHint')}
          allowDeselect={false}
          data={periods.map((value) => ({ value, label: t(`periods.${value}`) }))}
          {...form.getInputProps('period')}
        />
      )}
      {hasField(type, 'perPeriodTarget') && (
        <NumberInput
          {...field}
          label={t('perPeriodTarget')}
          description={t('perPeriodTargetHint')}
          placeholder="1"
          decimalScale={4}
          {...form.getInputProps('perPeriodTarget')}
        />
      )}
      {hasField(type, 'gracePeriods') && (
        <NumberInput
          {...field}
          label={t('gracePeriods')}
          description={t('gracePeriodsHint')}
          placeholder="0"
          allowDecimal={false}
          {...form.getInputProps('gracePeriods')}
        />
      )}
      {hasField(type, 'onReversal') && (
        <Select
          {...field}
          label={t('onReversal')}
          description={t('onReversalHint')}
          allowDeselect={false}
          data={pastPeriodValues.map((value) => ({ value, label: t(`pastPeriods.${value}`) }))}
          {...form.getInputProps('onReversal')}
        />
      )}
      {hasField(type, 'occurrences') && (
        <NumberInput
          {...field}
          label={t('occurrences')}
          description={t('occurrencesHint')}
          withAsterisk
          allowDecimal={false}
          {...form.getInputProps('occurrences')}
        />
      )}
      {hasField(type, 'durationDays') && (
        <NumberInput
          {...field}
          label={t('durationDays')}
          description={t('durationDaysHint')}
          allowDecimal={false}
          {...form.getInputProps('durationDays')}
        />
      )}
      {hasField(type, 'endsAt') && (
        <TimeField
          label={t('challengeEnd')}
          description={t('challengeEndHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('endsAt')}
        />
      )}
    </SimpleGrid>
  );
}
