import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { useFormatter, useTranslations } from 'use-intl';
import type { Overview_Point } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { useChartSteps } from './chart-data.ts';
import type { SpanName } from './spans.ts';

/** Events, completed missions and rewards over time. */
export function ActivityChart(props: { readonly points: readonly Overview_Point[]; readonly span: SpanName }) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const stepsOf = useChartSteps();
  const steps = stepsOf(props.points, props.span, ({ eventsApplied, missionsCompleted, rewardsDelivered }) => ({
    events: eventsApplied,
    missions: missionsCompleted,
    rewards: rewardsDelivered,
  }));
  return (
    <AreaChart
      h={280}
      data={steps}
      dataKey="at"
      series={[
        { name: 'events', label: t('events'), color: 'laurel.6' },
        { name: 'missions', label: t('missionsCompleted'), color: 'blue.6' },
        { name: 'rewards', label: t('rewardsDelivered'), color: 'yellow.7' },
      ]}
      curveType="linear"
      withDots={false}
      withLegend
      // In the order of the series, not of the alphabet.
      legendProps={{ itemSorter: null }}
      fillOpacity={0.12}
      strokeWidth={2}
      gridAxis="x"
      tickLine="none"
      valueFormatter={(value) => format.number(value)}
      // Hours at even distances; an interval that always keeps the last one would break them.
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      yAxisProps={{ allowDecimals: false, width: 44, tickFormatter: (value) => format.number(value, 'short') }}
    />
  );
}
