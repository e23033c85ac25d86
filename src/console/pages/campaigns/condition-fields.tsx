import { Chip, Group, Input, MultiSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { ConditionValues } from './campaign-values.ts';
import { Fold } from './fold.tsx';
import type { MissionForm } from './mission-form.ts';
import { days } from './mission-types.ts';

/** A mission that another can wait for. */
export type OtherMission = { readonly key: string; readonly label: string };

/** What an event must meet to count; folded away until somebody wants it. */
export function ConditionFields(props: {
  readonly form: MissionForm;
  /** Missions that this one may wait for; left out where there are none to choose from. */
  readonly others?: readonly OtherMission[];
  readonly locked: boolean;
  readonly opened: boolean;
  readonly onToggle: () => void;
}) {
  const t = useTranslations('campaigns');
  const { form, locked, others } = props;
  const daysId = useId();
  const count = conditionsSet(form.values.conditions);

  return (
    <Fold title={t('conditions', { count })} opened={props.opened} onToggle={props.onToggle}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput
            label={t('minAmount')}
            disabled={locked}
            decimalScale={4}
            {...form.getInputProps('conditions.minAmount')}
          />
          <NumberInput
            label={t('maxAmount')}
            disabled={locked}
            decimalScale={4}
            {...form.getInputProps('conditions.maxAmount')}
          />
          <NumberInput
            label={t('maxPerPeriod')}
            disabled={locked}
            decimalScale={4}
            {...form.getInputProps('conditions.maxPerPeriod')}
          />
        </SimpleGrid>
        <div>
          <Input.Label component="div" id={daysId} mb={4}>
            {t('daysOfWeek')}
          </Input.Label>
          <Chip.Group multiple {...form.getInputProps('conditions.daysOfWeek', { withError: false })}>
            <Group gap={6} role="group" aria-labelledby={daysId}>
              {days.map((day) => (
                <Chip key={day} value={day} size="xs" disabled={locked}>
                  {t(`days.${day}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </div>
        <SimpleGrid cols={2}>
          <TextInput
            label={t('timeFrom')}
            type="time"
            disabled={locked}
            {...form.getInputProps('conditions.timeFrom')}
          />
          <TextInput label={t('timeTo')} type="time" disabled={locked} {...form.getInputProps('conditions.timeTo')} />
        </SimpleGrid>
        {others !== undefined && (
          <MultiSelect
            label={t('prerequisites')}
            description={others.length === 0 ? t('prerequisitesNone') : t('prerequisitesHint')}
            disabled={locked || others.length === 0}
            data={others.map(({ key, label }) => ({ value: key, label }))}
            {...form.getInputProps('conditions.prerequisiteMissionIds')}
          />
        )}
      </Stack>
    </Fold>
  );
}

function conditionsSet(conditions: ConditionValues): number {
  return Object.values(conditions).filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0))
    .length;
}
