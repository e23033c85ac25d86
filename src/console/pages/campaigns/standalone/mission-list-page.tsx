import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { Plus, Target } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { MissionAdminService } from '../../../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { NameLink } from '../../../names/name-link.tsx';
import { Allowed } from '../../../session/allowed.tsx';
import { ActionRow } from '../../../shell/action-row.tsx';
import { Page } from '../../../shell/page.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { CampaignPages } from '../campaign-pages.tsx';
import { missionTypeName, missionTypeNames } from '../mission-types.ts';
import { MissionState } from './mission-state.tsx';
import { StreakSettingsButton } from './streak-settings.tsx';

/** Every mission that belongs to no campaign, latest first. */
export function StandaloneMissions() {
  const t = useTranslations('campaigns.standalone');
  const types = useTranslations('campaigns.types');
  const of = useTranslations('campaigns');
  const format = useFormatter();
  const [now] = useState(() => Date.now());
  const button = (
    <Allowed to={Permission.KEEP_CAMPAIGNS}>
      <Button component={Link} to="/campaigns/missions/new" leftSection={<Plus size={16} aria-hidden />}>
        {t('create')}
      </Button>
    </Allowed>
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <ActionRow main={button}>
          <StreakSettingsButton />
        </ActionRow>
      }
    >
      <CampaignPages />
      <DataTable
        id="missions"
        label={t('title')}
        method={MissionAdminService.method.listMissions}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/campaigns/missions/${id}`}
        filters={[{ field: 'type', options: missionTypeNames.map((value) => ({ value, label: types(value) })) }]}
        columns={[
          { key: 'name', render: ({ name }) => name },
          { key: 'state', title: t('state'), render: (mission) => <MissionState mission={mission} now={now} /> },
          { key: 'type', render: ({ type }) => types(missionTypeName(type)) },
          { key: 'programmaticCode', title: of('event'), render: ({ programmaticCode }) => programmaticCode },
          {
            key: 'audience',
            title: t('audience'),
            render: ({ audienceId = '' }) => <NameLink kind="audience" id={audienceId} />,
          },
          {
            key: 'updatedAt',
            wideOnly: true,
            render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={Target} title={t('empty')} hint={t('emptyHint')} action={button} />}
      />
    </Page>
  );
}
