import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@mantine/core';
import { Trophy } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { LeaderboardAdminService } from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { Leaderboard_Order } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { LeaderboardForm } from './leaderboard-form.tsx';
import { LeaderboardStatus, leaderboardStatuses } from './leaderboard-status.tsx';

/** The leaderboards of the client. */
export function LeaderboardList() {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_CAMPAIGNS}
      form={LeaderboardForm}
      empty={{ icon: Trophy, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="leaderboards"
          label={t('title')}
          method={LeaderboardAdminService.method.listLeaderboards}
          rowKey={({ id }) => id}
          rowPath={({ id }) => `/leaderboards/${id}`}
          filters={[
            {
              field: 'status',
              options: leaderboardStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
            },
          ]}
          columns={[
            { key: 'name', render: ({ name }) => name },
            { key: 'status', render: ({ status }) => <LeaderboardStatus status={status} /> },
            {
              key: 'statisticCode',
              title: t('statistic'),
              render: ({ statisticCode }) => <Code>{statisticCode}</Code>,
            },
            {
              key: 'order',
              title: t('order'),
              wideOnly: true,
              render: ({ order }) => t(`orders.${enumName(Leaderboard_Order, order)}`),
            },
            {
              key: 'prizes',
              title: t('prizes'),
              align: 'right',
              wideOnly: true,
              render: ({ prizes }) => format.number(prizes.length),
              sort: ({ prizes }) => prizes.length,
            },
            {
              key: 'version',
              title: t('version'),
              align: 'right',
              wideOnly: true,
              render: ({ version }) => format.number(version),
            },
            {
              key: 'updatedAt',
              wideOnly: true,
              render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
            },
          ]}
          empty={empty}
        />
      )}
    />
  );
}
