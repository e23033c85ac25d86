import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Alert, Button, Group, Text } from '@mantine/core';
import { CircleStop, RotateCw } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { WebhookAdminService } from '../../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { type WebhookRetries, WebhookType } from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import type { WebhookEndpoint } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { DeliveryOutcome } from './delivery-outcome.tsx';
import type { WebhookTypeName } from './webhook-methods.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** Milliseconds between two refreshes. */
const REFRESH_MS = 5_000;

/** The receiver whose retries wait. */
type Receiver = { readonly type: WebhookTypeName } | { readonly endpoint: WebhookEndpoint };

/** The number of waiting retries of a webhook or endpoint, the next one, and the button that ends them. Empty without any. */
export function WaitingRetries(receiver: Receiver) {
  const { data } = useQuery(WebhookAdminService.method.listWebhookRetries, {}, { refetchInterval: REFRESH_MS });
  const retries = data?.rows.find(({ type, endpointId }) =>
    'endpoint' in receiver ? endpointId === receiver.endpoint.id : type === WebhookType[receiver.type],
  );
  return retries === undefined || retries.waiting === 0 ? null : <Waiting receiver={receiver} retries={retries} />;
}

function Waiting({ receiver, retries }: { readonly receiver: Receiver; readonly retries: WebhookRetries }) {
  const t = useTranslations('webhooks');
  const endpoints = useTranslations('endpoints');
  const format = useFormatter();
  const confirm = useConfirm();
  const stop = useMutation(WebhookAdminService.method.stopWebhookRetries);
  const { type, endpointId, waiting, nextAttemptAt, lastOutcome, lastStatusCode, lastError } = retries;
  const named = 'endpoint' in receiver ? receiver.endpoint.name : t(`types.${receiver.type}`);
  const title =
    'endpoint' in receiver
      ? endpoints('retriesWaiting', { name: named, count: waiting })
      : t('retriesWaiting', { count: waiting });

  async function askAndStop(): Promise<void> {
    const question = { title: t('stopRetriesTitle'), message: t('stopRetriesText'), confirm: t('stopRetries') };
    if (!(await confirm(question))) return;
    stop.mutate(
      { type, endpointId },
      { onSuccess: ({ stopped }) => notifyDone(t('retriesStopped', { count: stopped })) },
    );
  }

  return (
    <Alert color="orange" icon={<RotateCw />} title={title}>
      {nextAttemptAt && (
        <Text size="sm">{t('nextRetry', { at: format.dateTime(timestampDate(nextAttemptAt), 'second') })}</Text>
      )}
      <Group gap="xs" mt={4}>
        <Text size="sm">{t('lastFailure')}</Text>
        {lastOutcome !== undefined && <DeliveryOutcome outcome={lastOutcome} />}
        <Text size="sm">{lastStatusCode ?? lastError}</Text>
      </Group>
      <Allowed to={Permission.KEEP_WEBHOOKS}>
        <Button
          mt="sm"
          size="xs"
          color="red"
          variant="light"
          leftSection={<CircleStop size={14} />}
          loading={stop.isPending}
          onClick={() => void askAndStop()}
          aria-label={t('stopRetriesLabel', { type: named })}
        >
          {t('stopRetries')}
        </Button>
      </Allowed>
    </Alert>
  );
}
