import { Chip, Group, Input, MultiSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import { type ConditionName, conditionNames, conditions, countConditions } from './conditions.ts';
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
  // Fields of one kind share a row.
  const rows = [...Map.groupBy(shown, (name) => conditions[name].kind).values()];

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
  amount: NumberField,
  time: TimeField,
  days: DaysField,
  missions: MissionsField,
  whole: NumberField,
  expression: ExpressionField,
};

function NumberField({ name, form, locked }: FieldProps) {
  const t = useTranslations('conditions');
  // Few conditions have a hint.
  const hint = `hints.${name}` as 'hints.cooldownMinutes';
  return (
    <NumberInput
      label={t(`labels.${name}`)}
      description={t.has(hint) && t(hint)}
      disabled={locked}
      {...(conditions[name].kind === 'amount' ? { decimalScale: 4 } : { allowDecimal: false, min: 1 })}
      {...form.getInputProps(`conditions.${name}`)}
    />
  );
}

function TimeField({ name, form, locked }: FieldProps) {
  const t = useTranslations('conditions');
  return (
    <TextInput
      label={t(`labels.${name}`)}
      type="time"
      disabled={locked}
      {...form.getInputProps(`conditions.${name}`)}
    />
  );
}

function DaysField({ name, form, locked }: FieldProps) {
  const t = useTranslations();
  const id = useId();
  return (
    <div>
      <Input.Label component="div" id={id} mb={4}>
        {t(`conditions.labels.${name}`)}
      </Input.Label>
      <Chip.Group multiple {...form.getInputProps(`conditions.${name}`, { withError: false })}>
        <Group gap={6} role="group" aria-labelledby={id}>
          {days.map((day) => (
            <Chip key={day} value={day} size="xs" disabled={locked}>
              {t(`campaigns.days.${day}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </div>
  );
}

function MissionsField({ name, form, locked, others }: FieldProps) {
  const t = useTranslations();
  return (
    <MultiSelect
      label={t(`conditions.labels.${name}`)}
      description={
        others.length === 0 ? t('campaigns.prerequisitesNone') : t('conditions.hints.prerequisiteMissionIds')
      }
      disabled={locked || others.length === 0}
      data={others.map(({ key, label }) => ({ value: key, label }))}
      {...form.getInputProps(`conditions.${name}`)}
    />
  );
}
