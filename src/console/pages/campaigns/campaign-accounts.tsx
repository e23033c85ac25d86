import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { NativeSelect } from '@mantine/core';
import { Users } from 'lucide-react';
import { useParams, useSearchParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import {
  CampaignAdminService,
  ListCampaignAccountsRequest_Step as Step,
} from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Campaign } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { type FunnelStep, pathOfStep, stepIn } from './funnel-step.ts';

/** The accounts behind one number of a campaign's funnel, which the address names. */
export function CampaignAccounts() {
  const t = useTranslations('leads');
  const campaigns = useTranslations('campaigns');
  const { id = '' } = useParams();
  const query = useQuery(CampaignAdminService.method.getCampaign, { id });
  const error = failureOfQuery(query);
  const campaign = query.data?.campaign;
  if (error !== null) {
    const back = { to: '/campaigns', label: campaigns('title') };
    return <PageFailure title={campaigns('title')} back={back} error={error} retry={() => void query.refetch()} />;
  }
  if (campaign === undefined) return <PageSkeleton />;
  return (
    <Page title={t('accountsTitle', { name: campaign.name })} back={{ to: `/campaigns/${id}`, label: campaign.name }}>
      <Accounts campaign={campaign} />
    </Page>
  );
}

function Accounts({ campaign }: { readonly campaign: Campaign }) {
  const t = useTranslations('leads');
  const format = useFormatter();
  const [params, setParams] = useSearchParams();
  const step = stepIn(params);
  const steps: readonly (readonly [FunnelStep, string])[] = [
    ...campaign.missions.flatMap(({ id: mission, name }) => [
      [{ mission, step: 'STARTED' }, t('started', { name })] as const,
      [{ mission, step: 'COMPLETED' }, t('completedMission', { name })] as const,
    ]),
    [{ step: 'COMPLETED' }, t('completed')],
    [{ step: 'CLOSED' }, t('closed')],
  ];
  const ofMission = step.mission !== undefined;
  return (
    <>
      <NativeSelect
        label={t('step')}
        maw={420}
        value={pathOfStep(campaign.id, step)}
        data={steps.map(([of, label]) => ({ value: pathOfStep(campaign.id, of), label }))}
        onChange={({ currentTarget: { value } }) => setParams(new URL(value, location.origin).searchParams)}
      />
      <DataTable
        id="campaign-accounts"
        label={steps.find(([of]) => of.mission === step.mission && of.step === step.step)?.[1] ?? t('completed')}
        method={CampaignAdminService.method.listCampaignAccounts}
        input={{ campaignId: campaign.id, step: Step[step.step], ...(ofMission && { missionId: step.mission }) }}
        rowKey={({ account }) => account?.id ?? ''}
        rowPath={({ account }) => `/accounts/${account?.id ?? ''}`}
        columns={[
          { key: 'externalId', render: ({ account }) => account?.externalId ?? account?.id },
          { key: 'name', render: ({ account }) => account?.name ?? '–' },
          { key: 'email', wideOnly: true, render: ({ account }) => account?.email ?? '–' },
          ...(ofMission
            ? [
                {
                  key: 'startedAt',
                  title: t('startedAt'),
                  render: ({ startedAt }: { startedAt?: Parameters<typeof timestampDate>[0] }) =>
                    startedAt ? format.dateTime(timestampDate(startedAt), 'moment') : '–',
                },
              ]
            : []),
          {
            key: 'completedAt',
            title: t('completedAt'),
            render: ({ completedAt }) => (completedAt ? format.dateTime(timestampDate(completedAt), 'moment') : '–'),
          },
        ]}
        empty={<EmptyState icon={Users} title={t('noAccounts')} hint={t('noAccountsHint')} />}
      />
    </>
  );
}
