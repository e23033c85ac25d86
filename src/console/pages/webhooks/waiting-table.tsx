import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Group } from '@mantine/core';
import { Hourglass } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { WebhookAdminService } from '../../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { DeliveryOutcome } from './delivery-outcome.tsx';
import { AnnouncedChange, useChangeWords } from './announced-change.tsx';
import { useEndpointFilters } from './use-endpoints.ts';
import { webhookTypes } from './webhook-methods.ts';

/** Milliseconds between two refreshes of the waiting messages, which a working endpoint receives at once. */
const REFRESH_MS = 2_000;

/** The messages without an outcome, and the waiting retries, oldest first. */
export function WaitingTable() {
  const t = useTranslations('webhooks');
  const format = useFormatter();
  const wordsOf = useChangeWords();
  const byEndpoint = useEndpointFilters('waiting.endpointId');
  return (
    <DataTable
      id="waiting"
      label={t('waiting')}
      secondary
      method={WebhookAdminService.method.listWaitingWebhooks}
      refetchInterval={REFRESH_MS}
      rowKey={({ id }) => id}
      filters={[
        {
          field: 'type',
          label: t('type'),
          options: webhookTypes.map((value) => ({ value, label: t(`types.${value}`) })),
        },
        ...byEndpoint,
      ]}
      columns={[
        {
          key: 'createdAt',
          title: t('createdAt'),
          render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'second'),
        },
        {
          key: 'type',
          title: t('type'),
          render: (message) => <AnnouncedChange message={message} />,
          sort: wordsOf,
        },
        {
          key: 'state',
          title: t('state'),
          render: ({ sending, nextAttemptAt }) => {
            if (sending) return <Badge color="blue">{t('sending')}</Badge>;
            return nextAttemptAt ? (
              <Badge color="orange">{t('retrying')}</Badge>
            ) : (
              <Badge color="gray">{t('queued')}</Badge>
            );
          },
        },
        {
          key: 'nextAttemptAt',
          title: t('nextAttemptAt'),
          render: ({ nextAttemptAt }) =>
            nextAttemptAt ? format.dateTime(timestampDate(nextAttemptAt), 'second') : '–',
        },
        {
          key: 'lastOutcome',
          title: t('lastFailure'),
          wideOnly: true,
          render: ({ lastOutcome, lastStatusCode, lastError }) =>
            lastOutcome === undefined ? (
              '–'
            ) : (
              <Group gap="xs">
                <DeliveryOutcome outcome={lastOutcome} statusCode={lastStatusCode} />
                {lastStatusCode ?? lastError}
              </Group>
            ),
        },
        {
          key: 'attempts',
          align: 'right',
          render: ({ attempts }) => format.number(attempts),
        },
      ]}
      empty={<EmptyState icon={Hourglass} title={t('nothingWaits')} hint={t('nothingWaitsHint')} />}
    />
  );
}
