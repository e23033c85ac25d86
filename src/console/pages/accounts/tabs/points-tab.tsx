import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { PointEntry_Type } from '../../../../../gen/laurel/v1/loyalty_pb.ts';
import { LoyaltyService } from '../../../../../gen/laurel/v1/loyalty_service_pb.ts';
import { TabFrame } from './tab-frame.tsx';
import { enumName } from '../../../api/enum-name.ts';

/** The number of ledger entries per read: the service's maximum. */
const MOST = 1_000;

/** The account's ledger of points, newest first. */
export function PointsTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  return (
    <TabFrame
      method={LoyaltyService.method.listPointEntries}
      input={{ id: accountId, limit: MOST }}
      rowsOf={({ entries }) => entries}
      rowKey={({ id }) => id}
      label={t('tabs.points')}
      emptyHint={t('pointsEmpty')}
      columns={[
        {
          key: 'createdAt',
          title: t('at'),
          render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
        },
        {
          key: 'type',
          render: ({ type }) => <Badge color="gray">{t(`entryTypes.${enumName(PointEntry_Type, type)}`)}</Badge>,
          sort: ({ type }) => type,
        },
        {
          key: 'amount',
          align: 'right',
          render: ({ amount }) => (
            <Text span size="sm" fw={550} c={amount < 0 ? 'red' : 'var(--mantine-color-anchor)'}>
              {format.number(amount, 'signedAmount')}
            </Text>
          ),
          sort: ({ amount }) => amount,
        },
        {
          key: 'balance',
          title: t('balanceAfter'),
          align: 'right',
          render: ({ balanceAfter }) => format.number(balanceAfter, 'amount'),
        },
        { key: 'reason', title: t('reason'), render: ({ reason }) => reason ?? '–' },
      ]}
    />
  );
}
