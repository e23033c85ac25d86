import { useTranslations } from 'use-intl';
import type { Overview_Point } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { TimeBars } from '../../chart/time-bars.tsx';
import { useChartSteps } from './chart-data.ts';
import type { SpanName } from './spans.ts';

/** Webhooks over time: answered with 2xx, and not. */
export function WebhookChart(props: { readonly points: readonly Overview_Point[]; readonly span: SpanName }) {
  const t = useTranslations('overview');
  const stepsOf = useChartSteps();
  const steps = stepsOf(props.points, props.span, ({ webhooksDelivered, webhooksFailed }) => ({
    delivered: webhooksDelivered,
    failed: webhooksFailed,
  }));
  return (
    <TimeBars
      h={280}
      data={steps}
      dataKey="at"
      type="stacked"
      series={[
        { name: 'delivered', label: t('webhooksDelivered'), color: 'laurel.6' },
        { name: 'failed', label: t('webhooksFailed'), color: 'red.6' },
      ]}
    />
  );
}
