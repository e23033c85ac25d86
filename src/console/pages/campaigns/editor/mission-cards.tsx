import { Button, Menu, Stack, Text, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { type CampaignValues, newMission } from './campaign-values.ts';
import { MissionCard } from './mission-card.tsx';
import { type MissionTypeName, missionTypeNames, missionTypes } from '../mission-types.ts';
import type { Folds } from './use-folds.ts';

/** Missions that a campaign has at most. */
const MOST = 50;

/** The missions of a campaign that is being written, in the order of the feed. */
export function MissionCards(props: {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly folds: Folds;
  readonly locked: boolean;
}) {
  const t = useTranslations('campaigns');
  const { form, folds, locked } = props;
  const { missions } = form.values;
  return (
    <Stack gap="md" component="section">
      <div>
        <Title order={2}>{t('missions')}</Title>
        <Text size="sm" c="dimmed">
          {t('missionsHint')}
        </Text>
      </div>
      {form.errors['missions'] !== undefined && (
        <Text size="sm" c="red" role="alert">
          {form.errors['missions']}
        </Text>
      )}
      {missions.map(({ key }, index) => (
        <MissionCard key={key} form={form} folds={folds} index={index} locked={locked} />
      ))}
      {!locked && (
        <AddMission
          disabled={missions.length >= MOST}
          onAdd={(type) => form.insertListItem('missions', newMission(type))}
        />
      )}
    </Stack>
  );
}

/** The button below the last mission, in the place of the new one. */
function AddMission(props: { readonly disabled: boolean; readonly onAdd: (type: MissionTypeName) => void }) {
  const t = useTranslations('campaigns');
  return (
    <Menu position="bottom-start" shadow="md" width={300}>
      <Menu.Target>
        <Button
          variant="light"
          leftSection={<Plus size={16} />}
          disabled={props.disabled}
          style={{ alignSelf: 'start' }}
        >
          {t('addMission')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {missionTypeNames.map((type) => {
          const { icon: Icon } = missionTypes[type];
          return (
            <Menu.Item key={type} leftSection={<Icon size={18} />} onClick={() => props.onAdd(type)}>
              <Text size="sm" fw={550}>
                {t(`types.${type}`)}
              </Text>
              <Text size="xs" c="dimmed">
                {t(`typeHints.${type}`)}
              </Text>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
