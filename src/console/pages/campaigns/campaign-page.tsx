import { useQuery } from '@connectrpc/connect-query';
import { Group, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignEffect } from './campaign-effect.tsx';
import { CampaignFacts } from './campaign-facts.tsx';
import { CampaignFunnel } from './campaign-funnel.tsx';
import { CampaignPhase } from './campaign-phase.tsx';
import { CampaignStop } from './campaign-stop.tsx';
import { MissionList } from './mission-list.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** Charts are the largest library of the console; the page does not wait for it. */
const CampaignSeries = lazy(async () => ({ default: (await import('./campaign-series.tsx')).CampaignSeries }));

/** One campaign: its state, missions and rewards, and the progress of its accounts. */
export function CampaignPage() {
  const t = useTranslations('campaigns');
  const { id = '' } = useParams();
  const query = useQuery(CampaignAdminService.method.getCampaign, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const campaign = data?.campaign;
  if (error !== null) return <FailureAlert error={error} retry={() => void refetch()} />;
  if (campaign === undefined) return <PageSkeleton />;
  return (
    <Page
      title={
        <Group gap="sm" component="span">
          {campaign.name}
          <CampaignPhase phase={campaign.phase} />
        </Group>
      }
      tabTitle={campaign.name}
      description={campaign.description === '' ? undefined : campaign.description}
      id={id}
      back={{ to: '/campaigns', label: t('title') }}
      actions={
        <Allowed to={Permission.KEEP_CAMPAIGNS}>
          <CampaignActions campaign={campaign} />
        </Allowed>
      }
    >
      <Stack gap="lg">
        <CampaignStop campaign={campaign} />
        <CampaignFacts campaign={campaign} />
        {campaign.activatedAt && campaign.controlGroupPercent !== undefined && <CampaignEffect campaign={campaign} />}
        {campaign.activatedAt && <CampaignFunnel campaign={campaign} />}
        {campaign.activatedAt && (
          <Suspense fallback={<Skeleton h={320} />}>
            <CampaignSeries campaign={campaign} />
          </Suspense>
        )}
        <MissionList campaign={campaign} />
      </Stack>
    </Page>
  );
}
