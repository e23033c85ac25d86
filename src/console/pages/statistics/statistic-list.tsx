import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Code, Text } from '@mantine/core';
import { Sigma } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { StatisticDefinitionAdminService } from '../../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import {
  StatisticDefinition_Aggregation as Aggregation,
  StatisticDefinition_Period as Period,
  StatisticDefinition_Source as Source,
} from '../../../../gen/laurel/v1/statistic_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { useAllowed } from '../../session/allowed.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { StatisticActions } from './statistic-actions.tsx';
import { StatisticForm } from './statistic-form.tsx';
import { aggregations, periods, sources } from './statistic-names.ts';

/** The statistics of the client. */
export function StatisticList() {
  const t = useTranslations('statistics');
  const may = useAllowed();
  const format = useFormatter();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_CAMPAIGNS}
      form={StatisticForm}
      empty={{ icon: Sigma, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="statistics"
          label={t('title')}
          method={StatisticDefinitionAdminService.method.listStatisticDefinitions}
          rowKey={({ id }) => id}
          filters={[
            {
              field: 'source',
              label: t('source'),
              options: sources.map((value) => ({ value, label: t(`sources.${value}`) })),
            },
            {
              field: 'aggregation',
              label: t('aggregation'),
              options: aggregations.map((value) => ({ value, label: t(`aggregations.${value}`) })),
            },
            {
              field: 'period',
              label: t('period'),
              options: periods.map((value) => ({ value, label: t(`periods.${value}`) })),
            },
          ]}
          columns={[
            { key: 'name', render: ({ name }) => name },
            { key: 'code', render: ({ code }) => <Code>{code}</Code> },
            {
              key: 'programmaticCode',
              title: t('counts'),
              render: ({ source, programmaticCode }) =>
                programmaticCode === undefined ? (
                  t(`sources.${enumName(Source, source)}`)
                ) : (
                  <Code>{programmaticCode}</Code>
                ),
            },
            {
              key: 'aggregation',
              title: t('aggregation'),
              render: ({ aggregation }) => <Badge>{t(`aggregations.${enumName(Aggregation, aggregation)}`)}</Badge>,
            },
            {
              key: 'period',
              title: t('period'),
              render: ({ period }) => t(`periods.${enumName(Period, period)}`),
            },
            {
              key: 'condition',
              title: t('conditionShort'),
              wideOnly: true,
              render: ({ condition }) => condition !== undefined && <Code>{condition}</Code>,
            },
            {
              key: 'createdAt',
              title: t('countedSince'),
              wideOnly: true,
              render: ({ countedSince, countedUntil }) => (
                <>
                  {countedSince && format.dateTime(timestampDate(countedSince), 'day')}
                  {countedUntil && (
                    <Text size="xs" c="dimmed">
                      {t('countedUntil', { at: format.dateTime(timestampDate(countedUntil), 'moment') })}
                    </Text>
                  )}
                </>
              ),
            },
          ]}
          rowActions={
            may(Permission.KEEP_CAMPAIGNS) ? (definition) => <StatisticActions definition={definition} /> : undefined
          }
          empty={empty}
        />
      )}
    />
  );
}
