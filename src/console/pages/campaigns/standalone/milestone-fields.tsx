import { ActionIcon, Button, Input, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect } from '../../../form/reference-select.tsx';
import { rewards } from '../../../form/references.ts';
import type { MissionForm } from '../editor/mission-form.ts';
import classes from './milestones.module.css';

/** As many milestones as a streak may have. */
const MOST_MILESTONES = 50;

/** As many rewards as a milestone may give. */
const MOST_REWARDS = 10;

type Props = {
  readonly form: MissionForm;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
  /** Whether the mission is offered, so that they cannot change any more. */
  readonly locked: boolean;
};

/** Whether a streak has an end, and the lengths at which it pays rewards, shortest first. */
export function MilestoneFields({ form, locked, onAdd, onRemove }: Props) {
  const t = useTranslations('campaigns');
  const { milestones } = form.values;
  return (
    <Stack gap="sm" role="group" aria-label={t('milestones')}>
      <Switch
        label={t('endless')}
        description={t('endlessHint')}
        disabled={locked}
        {...form.getInputProps('endless', { type: 'checkbox' })}
      />
      <div>
        <Input.Label component="div">{t('milestones')}</Input.Label>
        <Text size="xs" c="dimmed">
          {t('milestonesHint')}
        </Text>
      </div>
      {milestones.map(({ key, rewardIds }, index) => {
        const number = String(index + 1);
        return (
          <div key={key} className={classes['milestone'] ?? ''} role="group" aria-label={t('milestone', { number })}>
            <NumberInput
              label={t('milestoneLength')}
              withAsterisk
              allowDecimal={false}
              disabled={locked}
              {...form.getInputProps(`milestones.${index}.length`)}
            />
            <div className={classes['rewards'] ?? ''}>
              <ReferenceMultiSelect
                of={rewards}
                label={t('milestoneRewards')}
                maxValues={MOST_REWARDS}
                disabled={locked}
                {...form.getInputProps(`milestones.${index}.rewardIds`)}
                value={rewardIds}
              />
            </div>
            <NumberInput
              label={t('milestoneFreezes')}
              allowDecimal={false}
              disabled={locked}
              {...form.getInputProps(`milestones.${index}.freezes`)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              className={classes['remove'] ?? ''}
              aria-label={t('removeMilestone', { number })}
              disabled={locked}
              onClick={() => onRemove(index)}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        variant="light"
        leftSection={<Plus size={16} aria-hidden />}
        disabled={locked || milestones.length >= MOST_MILESTONES}
        onClick={onAdd}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('addMilestone')}
      </Button>
    </Stack>
  );
}
