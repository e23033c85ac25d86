import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Card, SegmentedControl, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { StatisticsAdminService } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Page } from '../../shell/page.tsx';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Figures } from './figures.tsx';
import { type SpanName, spans } from './spans.ts';
import { useCurrentHour } from './use-current-hour.ts';

/** The drawing of charts is as large as the rest of the console together: fetched after the figures are there. */
const ActivityChart = lazy(async () => ({ default: (await import('./activity-chart.tsx')).ActivityChart }));
const WebhookChart = lazy(async () => ({ default: (await import('./webhook-chart.tsx')).WebhookChart }));

const HOUR = 3_600_000;

/** Milliseconds between two looks; the service's counters are a few seconds behind. */
const REFRESH_MS = 20_000;

/** The causes that need attention, the current totals, and the recent activity. */
export function Overview() {
  const t = useTranslations('overview');
  const [span, setSpan] = useState<SpanName>('day');
  const { hours, bucket } = spans[span];
  // The first bucket is the one that holds this moment. By whole hours, the request stays the same for an hour.
  const since = (useCurrentHour() - hours + 1) * HOUR;
  const query = useQuery(
    StatisticsAdminService.method.getOverview,
    { since: timestampFromMs(since), bucket },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  const attention = useQuery(
    StatisticsAdminService.method.getAttention,
    {},
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  const { data, refetch } = query;
  const error = failureOfQuery(query) ?? failureOfQuery(attention);
  const overview = data?.overview;
  const choice = (
    <SegmentedControl
      aria-label={t('span')}
      data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`spans.${value}`) }))}
      value={span}
      onChange={setSpan}
    />
  );
  if (error !== null) {
    return (
      <Page title={t('title')} description={t('description')}>
        <FailureAlert error={error} retry={() => void Promise.all([refetch(), attention.refetch()])} />
      </Page>
    );
  }
  return (
    <Page title={t('title')} description={t('description')} actions={choice}>
      <Attention causes={attention.data?.attention?.causes} />
      {/* Waits for the causes, which would push the content below down. */}
      {attention.data !== undefined && (
        <>
          <Figures overview={overview} span={span} since={new Date(since)} />
          {overview?.totals?.activeCampaigns === 0 && <FirstSteps />}
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Chart title={t('activity')} hint={t('activityHint')}>
              {overview && <ActivityChart points={overview.points} span={span} />}
            </Chart>
            <Chart title={t('webhooks')} hint={t('webhooksHint')}>
              {overview && <WebhookChart points={overview.points} span={span} />}
            </Chart>
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

/** Its height is the same before and after the chart loads. */
function Chart(props: { readonly title: string; readonly hint: string; readonly children: ReactNode }) {
  return (
    <Card component="section">
      <Title order={2}>{props.title}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {props.hint}
      </Text>
      <div style={{ height: 280 }}>
        <Suspense fallback={<Skeleton h={280} />}>{props.children ?? <Skeleton h={280} />}</Suspense>
      </div>
    </Card>
  );
}
