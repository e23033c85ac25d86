import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Alert, Badge, Card, Stack, Title } from '@mantine/core';
import { Gift } from 'lucide-react';
import { useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { EarnedReward_Status } from '../../../../gen/laurel/v1/reward_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { RewardActions } from './reward-actions.tsx';
import { BadgeFace } from './badge-face.tsx';
import { rewardTypeName, subjectOf } from './reward-types.ts';

/** One reward: its content and its recipients. */
export function RewardPage() {
  const t = useTranslations('rewards');
  const archivable = useTranslations('archivable');
  const fields = useTranslations('fields');
  const format = useFormatter();
  const { id = '' } = useParams();
  const query = useQuery(RewardAdminService.method.getReward, { id });
  const error = failureOfQuery(query);
  const back = { to: '/rewards', label: t('title') };
  if (error !== null)
    return <PageFailure title={t('title')} back={back} error={error} retry={() => void query.refetch()} />;
  const reward = query.data?.reward;
  if (reward === undefined) return <PageSkeleton />;
  const type = rewardTypeName(reward.type);
  const subject = subjectOf(reward);
  return (
    <Page
      title={reward.name}
      id={id}
      back={back}
      actions={
        <Allowed to={Permission.KEEP_REWARDS}>
          <RewardActions reward={reward} />
        </Allowed>
      }
    >
      {reward.archivedAt !== undefined && <Alert color="gray">{archivable('badge')}</Alert>}
      <Card>
        <Facts
          facts={[
            [fields('type'), t(`types.${type}`)],
            [fields('amount'), format.number(reward.amount, 'amount')],
            ...(subject === undefined
              ? []
              : [[t('of'), <NameLink key="of" kind={subject.kind} id={subject.id} />] as const]),
            ...(reward.secret === undefined
              ? []
              : [
                  [t('secret'), t(reward.secret ? 'secretYes' : 'secretNo')] as const,
                  [t('badgeText'), reward.description] as const,
                  [t('image'), <BadgeFace key="image" name={reward.name} imageUrl={reward.imageUrl} />] as const,
                ]),
          ]}
        />
      </Card>
      <GivenRewards rewardId={reward.id} />
    </Page>
  );
}

/** The recipients of a reward, latest first, including pending ones. */
function GivenRewards({ rewardId }: { readonly rewardId: string }) {
  const t = useTranslations('leads');
  const accounts = useTranslations('accounts');
  const format = useFormatter();
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{t('givenTitle')}</Title>
      <DataTable
        id="given-rewards"
        label={t('givenTitle')}
        method={RewardAdminService.method.listRewardEarnedRewards}
        input={{ rewardId }}
        rowKey={({ id }) => id}
        filters={[
          {
            field: 'status',
            options: (['DELIVERED', 'PENDING_STOCK'] as const).map((value) => ({
              value,
              label: accounts(`rewardStatuses.${value}`),
            })),
          },
        ]}
        columns={[
          { key: 'account', render: ({ accountId }) => <NameLink kind="account" id={accountId} /> },
          { key: 'amount', align: 'right', render: ({ amount }) => format.number(amount, 'amount') },
          {
            key: 'status',
            render: ({ status }) =>
              status === EarnedReward_Status.PENDING_STOCK ? (
                <Badge color="yellow">{accounts('rewardStatuses.PENDING_STOCK')}</Badge>
              ) : (
                <Badge>{accounts('rewardStatuses.DELIVERED')}</Badge>
              ),
          },
          {
            key: 'campaign',
            title: t('campaign'),
            wideOnly: true,
            render: ({ campaignId }) => (campaignId === undefined ? '–' : <NameLink kind="campaign" id={campaignId} />),
          },
          {
            key: 'createdAt',
            title: t('earnedAt'),
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={Gift} title={t('nobodyEarned')} hint={t('nobodyEarnedHint')} />}
      />
    </Stack>
  );
}
