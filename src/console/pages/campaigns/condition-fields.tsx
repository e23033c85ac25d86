import {
  Accordion,
  Chip,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import type { CampaignValues, ConditionValues } from './campaign-values.ts';
import { days } from './mission-types.ts';

/** What an event must meet to count; folded away until somebody wants it. */
export function ConditionFields(props: {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly index: number;
  readonly locked: boolean;
}) {
  const t = useTranslations('campaigns');
  const { form, index, locked } = props;
  const path = `missions.${index}.conditions` as const;
  const mission = form.values.missions[index];
  if (mission === undefined) return null;
  const count = conditionsSet(mission.conditions);
  // A mission can require only those that exist already, and not itself.
  const others = form.values.missions.filter(({ id }) => id !== undefined && id !== mission.id);

  return (
    <Accordion variant="contained" radius="md" keepMounted={false}>
      <Accordion.Item value="conditions">
        <Accordion.Control>
          <Text size="sm" fw={500} component="span">
            {t('conditions', { count })}
          </Text>
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <NumberInput
                label={t('minAmount')}
                disabled={locked}
                decimalScale={4}
                {...form.getInputProps(`${path}.minAmount`)}
              />
              <NumberInput
                label={t('maxAmount')}
                disabled={locked}
                decimalScale={4}
                {...form.getInputProps(`${path}.maxAmount`)}
              />
              <NumberInput
                label={t('maxPerPeriod')}
                disabled={locked}
                decimalScale={4}
                {...form.getInputProps(`${path}.maxPerPeriod`)}
              />
            </SimpleGrid>
            <div>
              <Input.Label component="div" id={`${path}-days`} mb={4}>
                {t('daysOfWeek')}
              </Input.Label>
              <Chip.Group multiple {...form.getInputProps(`${path}.daysOfWeek`, { withError: false })}>
                <Group gap={6} role="group" aria-labelledby={`${path}-days`}>
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
                {...form.getInputProps(`${path}.timeFrom`)}
              />
              <TextInput label={t('timeTo')} type="time" disabled={locked} {...form.getInputProps(`${path}.timeTo`)} />
            </SimpleGrid>
            <MultiSelect
              label={t('prerequisites')}
              description={others.length === 0 ? t('prerequisitesNone') : t('prerequisitesHint')}
              disabled={locked || others.length === 0}
              data={others.map(({ id = '', name }) => ({ value: id, label: name }))}
              {...form.getInputProps(`${path}.prerequisiteMissionIds`)}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function conditionsSet(conditions: ConditionValues): number {
  return Object.values(conditions).filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0))
    .length;
}
