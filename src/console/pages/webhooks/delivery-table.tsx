import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Send } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { WebhookAdminService } from '../../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { DeliveryOutcome } from './delivery-outcome.tsx';
import { anyFailure, outcomes } from './delivery-outcomes.ts';
import { AnnouncedChange, useChangeWords } from './announced-change.tsx';
import { useEndpointFilters } from './use-endpoints.ts';
import { webhookTypes } from './webhook-methods.ts';

/** Milliseconds between two looks at the log. */
const REFRESH_MS = 5_000;

/** The delivery log, latest first, or the attempts of one message. */
export function DeliveryTable({ messageId }: { readonly messageId?: string }) {
  const t = useTranslations('webhooks');
  const leads = useTranslations('leads');
  const format = useFormatter();
  const wordsOf = useChangeWords();
  const byEndpoint = useEndpointFilters('endpointId');
  return (
    <DataTable
      id={messageId === undefined ? 'deliveries' : 'attempts'}
      label={messageId === undefined ? t('log') : t('allAttempts')}
      method={WebhookAdminService.method.listWebhookDeliveries}
      refetchInterval={messageId === undefined ? REFRESH_MS : REFRESH_MS / 2}
      {...(messageId !== undefined && { where: { messageId: [messageId] } })}
      searchable={messageId === undefined}
      rowKey={({ id }) => id}
      rowPath={({ id }) => `/webhooks/deliveries/${id}`}
      filters={
        messageId === undefined
          ? [
              {
                field: 'type',
                label: t('type'),
                options: webhookTypes.map((value) => ({ value, label: t(`types.${value}`) })),
              },
              ...byEndpoint,
              {
                field: 'outcome',
                label: t('outcome'),
                options: [
                  ...outcomes.map((value) => ({
                    value,
                    label: t(value === 'REFUSED' ? 'refusedOrBroken' : `outcomes.${value}`),
                  })),
                  { value: anyFailure, label: leads('anyFailure') },
                ],
              },
              { field: 'target', label: t('target') },
            ]
          : []
      }
      columns={[
        {
          key: 'attemptedAt',
          title: t('attemptedAt'),
          render: ({ attemptedAt }) => attemptedAt && format.dateTime(timestampDate(attemptedAt), 'second'),
        },
        {
          key: 'type',
          title: t('type'),
          render: (delivery) => <AnnouncedChange message={delivery} />,
          sort: wordsOf,
        },
        { key: 'outcome', title: t('outcome'), render: (delivery) => <DeliveryOutcome {...delivery} /> },
        { key: 'statusCode', title: t('statusCode'), align: 'right', render: ({ statusCode }) => statusCode ?? '–' },
        {
          key: 'durationMs',
          title: t('duration'),
          align: 'right',
          render: ({ durationMs }) => t('milliseconds', { ms: durationMs }),
        },
        {
          key: 'attempt',
          title: t('attempt'),
          align: 'right',
          wideOnly: true,
          render: ({ attempt }) => format.number(attempt),
        },
        { key: 'target', title: t('target'), wideOnly: true, render: ({ target }) => target },
      ]}
      empty={<EmptyState icon={Send} title={t('empty')} hint={t('emptyHint')} />}
    />
  );
}
