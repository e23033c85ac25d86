import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Group } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { FeedService } from '../../../../../gen/laurel/v1/feed_service_pb.ts';
import { filterOf } from '../../../table/filter-of.ts';
import { missionTypeName } from '../../campaigns/mission-types.ts';
import { ProgressCell, StatusBadge, shareOf } from './assignment-columns.tsx';
import { ClaimButton } from './row-actions.tsx';
import { TabFrame } from './tab-frame.tsx';

/** The feed of the account, with completed and missed items. */
export function FeedTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const types = useTranslations('campaigns.types');
  const format = useFormatter();
  return (
    <TabFrame
      method={FeedService.method.getFeed}
      input={{ accountId, filters: filterOf({ status: ['ACTIVE', 'COMPLETED', 'EXPIRED'] }) }}
      rowsOf={({ items }) => items}
      rowKey={({ id }) => id}
      label={t('tabs.feed')}
      emptyHint={t('feedEmpty')}
      rowActions={(item) => <ClaimButton accountId={accountId} item={item} />}
      columns={[
        { key: 'name', title: t('mission'), render: ({ name }) => name, sort: ({ name }) => name },
        { key: 'type', render: ({ type }) => types(missionTypeName(type)), sort: ({ type }) => type },
        {
          key: 'progress',
          render: (item) => <ProgressCell {...item} />,
          sort: ({ progress, target }) => shareOf(progress, target),
        },
        {
          key: 'status',
          render: ({ status, claimable }) => (
            <Group gap={6} component="span">
              <StatusBadge status={status} />
              {claimable && <Badge color="yellow">{t('claimable')}</Badge>}
            </Group>
          ),
          sort: ({ status }) => status,
        },
        {
          key: 'rewards',
          title: t('rewards'),
          wideOnly: true,
          render: ({ rewards }) => format.list(rewards.map(({ name }) => name || t('badgeSecret'))),
        },
        {
          key: 'expiresAt',
          title: t('until'),
          render: ({ expiresAt }) => (expiresAt ? format.dateTime(timestampDate(expiresAt), 'moment') : '–'),
        },
      ]}
    />
  );
}
