import { useQuery } from '@connectrpc/connect-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { CampaignEditor } from './campaign-editor.tsx';

/** A stored campaign that is being changed. */
export function CampaignEdit() {
  const t = useTranslations('campaigns');
  const { id = '' } = useParams();
  const [reading, setReading] = useState(0);
  // Fetched again for each editing and then left alone: what is being written must not change underneath.
  const query = useQuery(
    CampaignAdminService.method.getCampaign,
    { id },
    { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  );
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const campaign = data?.campaign;
  if (error !== null) return <FailureAlert error={error} retry={() => void refetch()} />;
  if (campaign === undefined) return <PageSkeleton />;

  async function readAgain(): Promise<void> {
    await refetch();
    setReading(reading + 1);
  }

  return (
    <Page title={t('edit', { name: campaign.name })} back={{ to: `/campaigns/${id}`, label: campaign.name }}>
      <CampaignEditor key={reading} campaign={campaign} onReload={() => void readAgain()} />
    </Page>
  );
}
