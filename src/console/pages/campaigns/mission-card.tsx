import { ActionIcon, Badge, Card, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect, ReferenceSelect } from '../../form/reference-select.tsx';
import { eventDefinitions, rewards } from '../../form/references.ts';
import type { CampaignValues } from './campaign-values.ts';
import { ConditionFields } from './condition-fields.tsx';
import { missionTypeNames, missionTypes } from './mission-types.ts';
import { TargetFields } from './target-fields.tsx';

/** One mission of a campaign that is being written. */
export function MissionCard(props: {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly index: number;
  readonly locked: boolean;
}) {
  const t = useTranslations('campaigns');
  const { form, index, locked } = props;
  const path = `missions.${index}` as const;
  const mission = form.values.missions[index];
  if (mission === undefined) return null;
  const { icon: Icon } = missionTypes[mission.type];
  const last = form.values.missions.length - 1;
  const number = index + 1;
  const move = (to: number) => form.reorderListItem('missions', { from: index, to });

  return (
    <Card component="fieldset" m={0} aria-label={t('mission', { number })}>
      <Group justify="space-between" mb="md">
        <Group gap="sm">
          <Badge size="lg" leftSection={<Icon size={14} />}>
            {t(`types.${mission.type}`)}
          </Badge>
          <Text fw={600} size="sm" truncate maw={260}>
            {mission.name === '' ? t('mission', { number }) : mission.name}
          </Text>
        </Group>
        {!locked && (
          <Group gap={4}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('moveUp', { number })}
              disabled={index === 0}
              onClick={() => move(index - 1)}
            >
              <ArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('moveDown', { number })}
              disabled={index === last}
              onClick={() => move(index + 1)}
            >
              <ArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('removeMission', { number })}
              disabled={last === 0}
              onClick={() => form.removeListItem('missions', index)}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      {form.errors[path] !== undefined && (
        <Text size="sm" c="red" role="alert" mb="sm">
          {form.errors[path]}
        </Text>
      )}
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('missionName')} withAsterisk {...form.getInputProps(`${path}.name`)} />
          <Select
            label={t('type')}
            description={t(`typeHints.${mission.type}`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            allowDeselect={false}
            disabled={locked}
            data={missionTypeNames.map((value) => ({ value, label: t(`types.${value}`) }))}
            {...form.getInputProps(`${path}.type`)}
          />
        </SimpleGrid>
        <Textarea label={t('missionText')} autosize minRows={2} {...form.getInputProps(`${path}.description`)} />
        <ReferenceSelect
          of={eventDefinitions}
          label={t('event')}
          description={t('eventHint')}
          required
          disabled={locked}
          {...form.getInputProps(`${path}.programmaticCode`)}
        />
        <TargetFields form={form} index={index} locked={locked} />
        <ReferenceMultiSelect
          of={rewards}
          label={t('missionRewards')}
          description={t('missionRewardsHint')}
          maxValues={10}
          disabled={locked}
          {...form.getInputProps(`${path}.rewardIds`)}
        />
        <TextInput label={t('image')} placeholder="https://" type="url" {...form.getInputProps(`${path}.imageUrl`)} />
        <ConditionFields form={form} index={index} locked={locked} />
      </Stack>
    </Card>
  );
}
