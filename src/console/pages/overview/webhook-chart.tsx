import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useFormatter, useTranslations } from 'use-intl';
import type { Overview_Point } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { useChartSteps } from './chart-data.ts';
import type { SpanName } from './spans.ts';

/** Webhooks over time: answered with 2xx, and not. */
export function WebhookChart(props: { readonly points: readonly Overview_Point[]; readonly span: SpanName }) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const stepsOf = useChartSteps();
  const steps = stepsOf(props.points, props.span, ({ webhooksDelivered, webhooksFailed }) => ({
    delivered: webhooksDelivered,
    failed: webhooksFailed,
  }));
  return (
    <BarChart
      h={280}
      data={steps}
      dataKey="at"
      type="stacked"
      series={[
        { name: 'delivered', label: t('webhooksDelivered'), color: 'laurel.6' },
        { name: 'failed', label: t('webhooksFailed'), color: 'red.6' },
      ]}
      withLegend
      // In the order of the series, not of the alphabet.
      legendProps={{ itemSorter: null }}
      gridAxis="x"
      tickLine="none"
      maxBarWidth={28}
      valueFormatter={(value) => format.number(value)}
      // Hours at even distances; the last one would stand apart.
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      yAxisProps={{ allowDecimals: false, width: 44, tickFormatter: (value) => format.number(value, 'short') }}
    />
  );
}
