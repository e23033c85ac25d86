import { ActionIcon, Badge, Card, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { CampaignValues } from './campaign-values.ts';
import { ConditionFields } from './condition-fields.tsx';
import { CollapsibleSection } from './collapsible-section.tsx';
import { MissionFields } from './mission-fields.tsx';
import { missionFormOf } from './mission-form.ts';
import { missionTypes } from '../mission-types.ts';
import { conditionsOf, type Folds } from './use-folds.ts';
import { useMissionSummary } from './use-summaries.ts';

/** One mission of a campaign that is being written. */
export function MissionCard(props: {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly folds: Folds;
  readonly index: number;
  readonly locked: boolean;
}) {
  const t = useTranslations('campaigns');
  const { form, folds, index, locked } = props;
  const path = `missions.${index}` as const;
  const mission = form.values.missions[index];
  const own = missionFormOf(form, index);
  const summaryOf = useMissionSummary();
  if (mission === undefined || own === undefined) return null;
  const { icon: Icon } = missionTypes[mission.type];
  const number = index + 1;
  const others = form.values.missions.flatMap(({ key, name }, at) =>
    at === index ? [] : [{ key, label: name === '' ? t('mission', { number: at + 1 }) : name }],
  );

  return (
    <Card component="fieldset" m={0} aria-label={t('mission', { number })}>
      <CollapsibleSection
        heading="h3"
        title={
          <Group gap="sm" component="span">
            <Badge component="span" size="lg" leftSection={<Icon size={14} aria-hidden />}>
              {t(`types.${mission.type}`)}
            </Badge>
            {mission.name === '' ? t('mission', { number }) : mission.name}
          </Group>
        }
        summary={summaryOf(mission)}
        opened={folds.isOpen(mission.key)}
        onToggle={() => folds.toggle(mission.key)}
        actions={locked ? undefined : <MissionButtons form={form} index={index} />}
      >
        {form.errors[path] !== undefined && (
          <Text size="sm" c="red" role="alert" mb="sm">
            {form.errors[path]}
          </Text>
        )}
        <MissionFields form={own} locked={locked}>
          <ConditionFields
            form={own}
            others={others}
            locked={locked}
            opened={folds.isOpen(conditionsOf(mission.key))}
            onToggle={() => folds.toggle(conditionsOf(mission.key))}
          />
        </MissionFields>
      </CollapsibleSection>
    </Card>
  );
}

/** Moves a mission in the feed, and removes it. */
function MissionButtons(props: { readonly form: UseFormReturnType<CampaignValues>; readonly index: number }) {
  const t = useTranslations('campaigns');
  const { form, index } = props;
  const last = form.values.missions.length - 1;
  const number = index + 1;
  const move = (to: number) => form.reorderListItem('missions', { from: index, to });
  return (
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
        onClick={() => removeMission(form, index)}
      >
        <Trash2 size={16} />
      </ActionIcon>
    </Group>
  );
}

/** Removes a mission, and the references of other missions to it. */
function removeMission(form: UseFormReturnType<CampaignValues>, index: number): void {
  const removed = form.values.missions[index]?.key;
  form.values.missions.forEach(({ conditions: { prerequisiteMissionIds: ids } }, at) => {
    const left = ids.filter((id) => id !== removed);
    if (left.length < ids.length) form.setFieldValue(`missions.${at}.conditions.prerequisiteMissionIds`, left);
  });
  form.removeListItem('missions', index);
}
