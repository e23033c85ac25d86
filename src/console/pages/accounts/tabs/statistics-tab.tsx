import { Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PencilRuler } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import { type Statistic, StatisticDefinition_Period } from '../../../../../gen/laurel/v1/statistic_pb.ts';
import { StatisticService } from '../../../../../gen/laurel/v1/statistic_service_pb.ts';
import { enumName } from '../../../api/enum-name.ts';
import { useAllowed } from '../../../session/allowed.tsx';
import { RowMenu } from '../../../table/row-menu.tsx';
import { AccountRanks } from './account-ranks.tsx';
import { CorrectStatistic } from '../correct-statistic.tsx';
import { TabFrame } from './tab-frame.tsx';

/** The values of the account's statistics in the periods in progress, and its ranks by them. */
export function StatisticsTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const statistics$ = useTranslations('statistics');
  const format = useFormatter();
  const may = useAllowed();
  return (
    <Stack gap="lg">
      <TabFrame
        method={StatisticService.method.listAccountStatistics}
        input={{ accountId }}
        rowsOf={({ rows }) => rows}
        rowKey={({ id }) => id}
        label={t('tabs.statistics')}
        emptyHint={t('statisticsEmpty')}
        {...(may(Permission.SUPPORT_ACCOUNTS) && {
          rowActions: (statistic: Statistic) => <StatisticMenu accountId={accountId} statistic={statistic} />,
        })}
        columns={[
          { key: 'name', title: t('statistic'), render: ({ name }) => name, sort: ({ name }) => name },
          {
            key: 'period',
            title: statistics$('period'),
            render: ({ period, periodKey }) => (
              <span>
                {statistics$(`periods.${enumName(StatisticDefinition_Period, period)}`)}
                {periodKey !== undefined && (
                  <Text span size="sm" c="dimmed">
                    {` ${periodKey}`}
                  </Text>
                )}
              </span>
            ),
          },
          {
            key: 'value',
            title: t('statisticValue'),
            align: 'right',
            render: ({ value }) => (value === undefined ? '–' : format.number(value, 'amount')),
            sort: ({ value = -Infinity }) => value,
          },
        ]}
      />
      <AccountRanks accountId={accountId} />
    </Stack>
  );
}

function StatisticMenu({ accountId, statistic }: { readonly accountId: string; readonly statistic: Statistic }) {
  const t = useTranslations('accounts');
  const [correcting, { open, close }] = useDisclosure(false);
  return (
    <>
      <RowMenu label={t('statisticMenu', { name: statistic.name })}>
        <Menu.Item leftSection={<PencilRuler size={15} />} onClick={open}>
          {t('correctStatistic')}
        </Menu.Item>
      </RowMenu>
      {correcting && <CorrectStatistic accountId={accountId} statistic={statistic} onClose={close} />}
    </>
  );
}
