import { Chip, Group, Input, MultiSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import { type ConditionName, conditionNames, conditions, type ConditionView, countConditions } from './conditions.ts';
import { CollapsibleSection } from './collapsible-section.tsx';
import { ExpressionField } from './expression-field.tsx';
import type { MissionForm } from './mission-form.ts';
import { days } from '../mission-types.ts';

/** A mission that another can wait for. */
export type OtherMission = { readonly key: string; readonly label: string };

/** The conditions of events, folded by default. */
export function ConditionFields(props: {
  readonly form: MissionForm;
  /** Missions that this one may wait for; left out without any. */
  readonly others?: readonly OtherMission[];
  readonly locked: boolean;
  readonly opened: boolean;
  readonly onToggle: () => void;
}) {
  const t = useTranslations('campaigns');
  const { form, locked, others } = props;
  const shown = conditionNames.filter((name) => conditions[name].kind !== 'missions' || others !== undefined);
  const rows = [...Map.groupBy(shown, (name) => conditions[name].row).values()];

  return (
    <CollapsibleSection
      title={t('conditions', { count: countConditions(form.values.conditions) })}
      opened={props.opened}
      onToggle={props.onToggle}
    >
      <Stack gap="md">
        {rows.map((names) => (
          <SimpleGrid key={names[0]} cols={names.length > 2 ? { base: 1, xs: names.length } : names.length}>
            {names.map((name) => {
              const Field = fields[conditions[name].kind];
              return <Field key={name} {...{ name, form, locked, others: others ?? [] }} />;
            })}
          </SimpleGrid>
        ))}
      </Stack>
    </CollapsibleSection>
  );
}

type FieldProps = {
  readonly name: ConditionName;
  readonly form: MissionForm;
  readonly locked: boolean;
  readonly others: readonly OtherMission[];
};

const fields: Readonly<Record<(typeof conditions)[ConditionName]['kind'], (props: FieldProps) => ReactNode>> = {
  amount: AmountField,
  time: TimeField,
  days: DaysField,
  missions: MissionsField,
  minutes: MinutesField,
  expression: ExpressionField,
};

function AmountField({ name, form, locked }: FieldProps) {
  const t = useTranslations('campaigns');
  return (
    <NumberInput label={t(name)} disabled={locked} decimalScale={4} {...form.getInputProps(`conditions.${name}`)} />
  );
}

function TimeField({ name, form, locked }: FieldProps) {
  const t = useTranslations('campaigns');
  return <TextInput label={t(name)} type="time" disabled={locked} {...form.getInputProps(`conditions.${name}`)} />;
}

function DaysField({ name, form, locked }: FieldProps) {
  const t = useTranslations('campaigns');
  const id = useId();
  return (
    <div>
      <Input.Label component="div" id={id} mb={4}>
        {t(name)}
      </Input.Label>
      <Chip.Group multiple {...form.getInputProps(`conditions.${name}`, { withError: false })}>
        <Group gap={6} role="group" aria-labelledby={id}>
          {days.map((day) => (
            <Chip key={day} value={day} size="xs" disabled={locked}>
              {t(`days.${day}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </div>
  );
}

function MinutesField({ name, form, locked }: FieldProps) {
  const t = useTranslations('campaigns');
  const { hint }: ConditionView = conditions[name];
  return (
    <NumberInput
      label={t(name)}
      description={hint && t(hint)}
      disabled={locked}
      allowDecimal={false}
      min={1}
      {...form.getInputProps(`conditions.${name}`)}
    />
  );
}

function MissionsField({ name, form, locked, others }: FieldProps) {
  const t = useTranslations('campaigns');
  return (
    <MultiSelect
      label={t(name)}
      description={others.length === 0 ? t('prerequisitesNone') : t('prerequisitesHint')}
      disabled={locked || others.length === 0}
      data={others.map(({ key, label }) => ({ value: key, label }))}
      {...form.getInputProps(`conditions.${name}`)}
    />
  );
}
