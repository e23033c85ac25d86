import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { Badge } from '@mantine/core';
import { useQuery } from '@connectrpc/connect-query';
import { useFormatter, useTranslations } from 'use-intl';
import { FeedService } from '../../../../../gen/laurel/v1/feed_service_pb.ts';
import { EarnedReward_Status } from '../../../../../gen/laurel/v1/reward_pb.ts';
import { RevealableCodes } from '../../../names/revealable-code.tsx';
import { useRewardNames } from '../../campaigns/use-names.ts';
import { rewardTypeName } from '../../rewards/reward-types.ts';
import { WaitingRewardActions } from './row-actions.tsx';
import { TabFrame } from './tab-frame.tsx';

/** The earned rewards of the account, latest first. */
export function RewardsTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const types = useTranslations('rewards.types');
  const format = useFormatter();
  const method = FeedService.method.listEarnedRewards;
  const { data } = useQuery(method, { accountId });
  const nameOf = useRewardNames((data?.rewards ?? []).map(({ rewardId }) => rewardId));
  return (
    <TabFrame
      method={method}
      input={{ accountId }}
      rowsOf={({ rewards }) => rewards}
      rowKey={({ id }) => id}
      label={t('tabs.rewards')}
      emptyHint={t('rewardsEmpty')}
      rowActions={(reward) => <WaitingRewardActions reward={reward} />}
      columns={[
        {
          key: 'reward',
          render: ({ rewardId }) => nameOf(rewardId),
          sort: ({ rewardId }) => nameOf(rewardId),
        },
        {
          key: 'type',
          render: ({ rewardType }) => types(rewardTypeName(rewardType)),
          sort: ({ rewardType }) => rewardType,
        },
        {
          key: 'amount',
          align: 'right',
          render: ({ amount, amountReversed, amountUnpaid }) =>
            [
              format.number(amount, 'amount'),
              ...(amountReversed === undefined ? [] : [t('amountReversed', { reversed: amountReversed })]),
              ...(amountUnpaid === undefined ? [] : [t('amountUnpaid', { unpaid: amountUnpaid })]),
            ].join('; '),
          sort: ({ amount }) => amount,
        },
        {
          key: 'status',
          render: ({ status }) =>
            status === EarnedReward_Status.PENDING_STOCK ? (
              <Badge color="yellow">{t('rewardStatuses.PENDING_STOCK')}</Badge>
            ) : (
              <Badge>{t('rewardStatuses.DELIVERED')}</Badge>
            ),
          sort: ({ status }) => status,
        },
        {
          key: 'codes',
          wideOnly: true,
          render: ({ codes }) => <RevealableCodes codes={codes} />,
        },
        {
          key: 'createdAt',
          title: t('earnedAt'),
          render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          sort: ({ createdAt }) => (createdAt ? timestampMs(createdAt) : 0),
        },
      ]}
    />
  );
}
