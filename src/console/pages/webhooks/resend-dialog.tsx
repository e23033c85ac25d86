import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { NativeSelect, NumberInput, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { WebhookAdminService } from '../../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import {
  WebhookDelivery_Outcome as Outcome,
  WebhookType,
} from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { localTimeOf, momentOf } from '../../form/local-time.ts';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { TimeField } from '../../form/time-field.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { usePreferences } from '../../language/preferences.ts';
import { filterOf } from '../../table/filter-of.ts';
import { anyFailure, failures } from './delivery-outcomes.ts';
import { useEndpoints } from './use-endpoints.ts';
import { webhookTypes } from './webhook-methods.ts';

const DAY = 86_400_000;

/** Sends the failed messages of one webhook or endpoint in a period again; it starts with the last day and the filters of the log. */
export function ResendDialog(props: {
  /** The type of a webhook or the id of an endpoint; any other text is the first webhook. */
  readonly receiver: string;
  readonly outcome: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('leads');
  const webhooks = useTranslations('webhooks');
  const endpoints$ = useTranslations('endpoints');
  const { timeZone } = usePreferences();
  const endpoints = useEndpoints() ?? [];
  // One for this dialog: a second press, or a try after a lost answer, takes effect once.
  const [operationId] = useState(newOperationId);
  const [now] = useState(() => Date.now());
  const form = useApiForm({
    method: WebhookAdminService.method.resendWebhookDeliveries,
    initialValues: {
      receiver:
        [...webhookTypes, ...endpoints.map(({ id }) => id)].find((known) => known === props.receiver) ?? 'REWARDS',
      outcomes: props.outcome,
      since: localTimeOf(timestampFromMs(now - DAY), timeZone),
      // The clocks show whole minutes; the last one is in it.
      until: localTimeOf(timestampFromMs(now + 60_000), timeZone),
      limit: 100,
      reason: '',
    },
    request: ({ receiver, outcomes, since, until, limit, reason }) => ({
      ...receiverOf(receiver),
      operationId,
      limit,
      reason,
      ...momentsOf({ since: momentOf(since, timeZone), until: momentOf(until, timeZone) }),
      outcomes: failures.filter((name) => outcomes.split(',').includes(name)).map((name) => Outcome[name]),
    }),
    onDone({ resent, more }) {
      notifyDone(t(more ? 'resentMore' : 'resent', { count: resent }));
      props.onClose();
    },
  });
  const { getInputProps, values } = form.form;
  const ofTypes = webhookTypes.map((value) => ({ value, label: webhooks(`types.${value}`) }));
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('resendTitle')}>
      <ApiForm form={form} submit={t('resend')} onCancel={props.onClose}>
        <Text size="sm">{t('resendHint')}</Text>
        <NativeSelect
          label={webhooks('type')}
          data={
            endpoints.length === 0
              ? ofTypes
              : [
                  { group: webhooks('title'), items: ofTypes },
                  { group: endpoints$('title'), items: endpoints.map(({ id, name }) => ({ value: id, label: name })) },
                ]
          }
          {...getInputProps('receiver')}
        />
        <NativeSelect
          label={webhooks('outcome')}
          data={[
            { value: anyFailure, label: t('anyFailure') },
            ...failures.map((value) => ({
              value,
              label: webhooks(value === 'REFUSED' ? 'refusedOrBroken' : `outcomes.${value}`),
            })),
          ]}
          {...getInputProps('outcomes')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TimeField label={t('from')} description={t('timesOf', { timeZone })} {...getInputProps('since')} />
          <TimeField label={t('to')} description={t('timesOf', { timeZone })} {...getInputProps('until')} />
        </SimpleGrid>
        <FailedAttempts
          receiver={values.receiver}
          outcomes={values.outcomes}
          {...momentsOf({ since: momentOf(values.since, timeZone), until: momentOf(values.until, timeZone) })}
        />
        <NumberInput label={t('limit')} description={t('limitHint')} min={1} max={1_000} {...getInputProps('limit')} />
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}

/** The number of logged attempts in the selection; empty without a period. */
function FailedAttempts(props: {
  readonly receiver: string;
  readonly outcomes: string;
  readonly since?: Timestamp;
  readonly until?: Timestamp;
}) {
  const t = useTranslations('leads');
  const { receiver, outcomes, since, until } = props;
  const { endpointId } = receiverOf(receiver);
  const { data } = useQuery(
    WebhookAdminService.method.listWebhookDeliveries,
    {
      page: 1,
      limit: 1,
      filters: filterOf({
        ...(endpointId === undefined ? { type: [receiver] } : { endpointId: [endpointId] }),
        outcome: outcomes.split(','),
      }),
      ...momentsOf({ since, until }),
    },
    { enabled: since !== undefined && until !== undefined, placeholderData: keepPreviousData },
  );
  return (
    <Text size="sm" fw={600} mih="1.5em" aria-live="polite">
      {data && t('failedAttempts', { count: data.totalRows })}
    </Text>
  );
}

/** The request without empty fields, which the rules then require. */
function momentsOf({
  since,
  until,
}: {
  readonly since?: Timestamp | undefined;
  readonly until?: Timestamp | undefined;
}) {
  return { ...(since && { since }), ...(until && { until }) };
}

/** The field of a request that names a receiver: a webhook by its type, or an endpoint by its id. */
function receiverOf(receiver: string): { readonly type?: WebhookType; readonly endpointId?: string } {
  const type = webhookTypes.find((known) => known === receiver);
  return type === undefined ? { endpointId: receiver } : { type: WebhookType[type] };
}
