import { useQuery } from '@connectrpc/connect-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Campaign } from '../../../../../gen/laurel/v1/campaign_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { Page } from '../../../shell/page.tsx';
import { PageSkeleton } from '../../../shell/page-skeleton.tsx';
import { CampaignEditor } from './campaign-editor.tsx';

/** A stored campaign that is being changed. */
export function CampaignEdit() {
  const { id = '' } = useParams();
  // Fetched again for each edit and then not refreshed: the form's content must not change meanwhile.
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

  return <Editing campaign={campaign} readAgain={async () => (await refetch()).data?.campaign} />;
}

/** The version read at the start of editing is kept, because creating a reward meanwhile refreshes all data. */
function Editing(props: { readonly campaign: Campaign; readonly readAgain: () => Promise<Campaign | undefined> }) {
  const t = useTranslations('campaigns');
  const [{ campaign, reading }, setEdited] = useState({ campaign: props.campaign, reading: 0 });
  const { id, name } = campaign;

  async function readAgain(): Promise<void> {
    const fresh = await props.readAgain();
    setEdited({ campaign: fresh ?? campaign, reading: reading + 1 });
  }

  return (
    <Page title={t('edit', { name })} back={{ to: `/campaigns/${id}`, label: name }}>
      <CampaignEditor
        key={reading}
        campaign={campaign}
        readStored={async () => (await props.readAgain()) ?? campaign}
        onReload={() => void readAgain()}
      />
    </Page>
  );
}
