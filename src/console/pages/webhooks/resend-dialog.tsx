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
import { webhookTypes, type WebhookTypeName } from './webhook-methods.ts';

const DAY = 86_400_000;

/** Sends the failed messages of one webhook in a period again; it starts with the last day and the filters of the log. */
export function ResendDialog(props: {
  readonly type: WebhookTypeName;
  readonly outcome: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('leads');
  const webhooks = useTranslations('webhooks');
  const { timeZone } = usePreferences();
  // One for this dialog: a second press, or a try after a lost answer, takes effect once.
  const [operationId] = useState(newOperationId);
  const [now] = useState(() => Date.now());
  const form = useApiForm({
    method: WebhookAdminService.method.resendWebhookDeliveries,
    initialValues: {
      type: props.type,
      outcomes: props.outcome,
      since: localTimeOf(timestampFromMs(now - DAY), timeZone),
      // The clocks show whole minutes; the last one is in it.
      until: localTimeOf(timestampFromMs(now + 60_000), timeZone),
      limit: 100,
      reason: '',
    },
    request: ({ type, outcomes, since, until, limit, reason }) => ({
      type: WebhookType[type],
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
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('resendTitle')}>
      <ApiForm form={form} submit={t('resend')} onCancel={props.onClose}>
        <Text size="sm">{t('resendHint')}</Text>
        <NativeSelect
          label={webhooks('type')}
          data={webhookTypes.map((value) => ({ value, label: webhooks(`types.${value}`) }))}
          {...getInputProps('type')}
        />
        <NativeSelect
          label={webhooks('outcome')}
          data={[
            { value: anyFailure, label: t('anyFailure') },
            ...failures.map((value) => ({ value, label: webhooks(`outcomes.${value}`) })),
          ]}
          {...getInputProps('outcomes')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TimeField label={t('from')} description={t('timesOf', { timeZone })} {...getInputProps('since')} />
          <TimeField label={t('to')} description={t('timesOf', { timeZone })} {...getInputProps('until')} />
        </SimpleGrid>
        <FailedAttempts
          type={values.type}
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
  readonly type: WebhookTypeName;
  readonly outcomes: string;
  readonly since?: Timestamp;
  readonly until?: Timestamp;
}) {
  const t = useTranslations('leads');
  const { type, outcomes, since, until } = props;
  const { data } = useQuery(
    WebhookAdminService.method.listWebhookDeliveries,
    {
      page: 1,
      limit: 1,
      filters: filterOf({ type: [type], outcome: outcomes.split(',') }),
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
