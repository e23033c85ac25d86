import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { Plus, Target } from 'lucide-react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { CampaignPages } from './campaign-pages.tsx';
import { CampaignPhase, campaignPhases } from './campaign-phase.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** Every campaign of the client, latest first. */
export function CampaignList() {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const button = (
    <Allowed to={Permission.KEEP_CAMPAIGNS}>
      <Button component={Link} to="/campaigns/new" leftSection={<Plus size={16} />}>
        {t('create')}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <CampaignPages />
      <DataTable
        id="campaigns"
        label={t('title')}
        method={CampaignAdminService.method.listCampaigns}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/campaigns/${id}`}
        filters={[
          {
            field: 'phase',
            label: t('phase'),
            options: campaignPhases.map((value) => ({ value, label: t(`phases.${value}`) })),
          },
        ]}
        columns={[
          { key: 'name', render: ({ name }) => name },
          { key: 'phase', title: t('phase'), render: ({ phase }) => <CampaignPhase phase={phase} /> },
          {
            key: 'missions',
            title: t('missions'),
            align: 'right',
            render: ({ missions }) => format.number(missions.length),
            sort: ({ missions }) => missions.length,
          },
          {
            key: 'endsAt',
            title: t('endsAt'),
            render: ({ endsAt }) => (endsAt ? format.dateTime(timestampDate(endsAt), 'day') : t('openEnd')),
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
