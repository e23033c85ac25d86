import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Anchor, Button, Card, Code, CopyButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Copy, RotateCw } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { WebhookAdminService } from '../../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import {
  type WebhookDelivery,
  WebhookDelivery_Retry as Retry,
} from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { enumName } from '../../api/enum-name.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { DeliveryOutcome } from './delivery-outcome.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { sentAbout } from './sent-about.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { useChangeWords } from './announced-change.tsx';
import { useEndpointName } from './use-endpoints.ts';
import { httpMethodName } from './webhook-methods.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One attempt to send a webhook: the request, the answer, and the other attempts. */
export function Delivery() {
  const t = useTranslations('webhooks');
  const { id = '' } = useParams();
  const query = useQuery(WebhookAdminService.method.getWebhookDelivery, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const delivery = data?.delivery;
  return (
    <Page
      title={t('delivery')}
      id={id}
      back={{ to: '/webhooks', label: t('title') }}
      actions={
        delivery?.body !== undefined && (
          <Allowed to={Permission.RESEND}>
            <Redeliver delivery={delivery} />
          </Allowed>
        )
      }
    >
      {error !== null && <FailureAlert error={error} retry={() => void refetch()} />}
      {error === null && !delivery && <Skeleton h={420} />}
      {error === null && delivery && <Attempt delivery={delivery} />}
    </Page>
  );
}

function Attempt({ delivery }: { readonly delivery: WebhookDelivery }) {
  const t = useTranslations('webhooks');
  const format = useFormatter();
  const leads = useTranslations('leads');
  const fields = useTranslations('fields');
  const endpoints = useTranslations('endpoints');
  const wordsOf = useChangeWords();
  const { accountId, campaignId } = sentAbout(delivery.body);
  const { endpointId, attempt, method, target, attemptedAt, durationMs, outcome, statusCode, error, messageId } =
    delivery;
  return (
    <>
      <Card>
        <Facts
          facts={[
            [t('outcome'), <DeliveryOutcome key="outcome" outcome={outcome} statusCode={statusCode} />],
            [t('statusCode'), statusCode],
            [t('duration'), t('milliseconds', { ms: durationMs })],
            [t('type'), wordsOf(delivery)],
            ...(endpointId === undefined
              ? []
              : [[endpoints('endpoint'), <EndpointLink key="endpoint" id={endpointId} />] as const]),
            [t('attemptedAt'), attemptedAt && format.dateTime(timestampDate(attemptedAt), 'second')],
            [t('attempt'), format.number(attempt)],
            [t('target'), `${httpMethodName(method)} ${target}`],
            [t('messageId'), messageId],
            ...(accountId === undefined
              ? []
              : [[fields('account'), <NameLink key="account" kind="account" id={accountId} />] as const]),
            ...(campaignId === undefined
              ? []
              : [[leads('campaign'), <NameLink key="campaign" kind="campaign" id={campaignId} />] as const]),
            ...(error === undefined ? [] : [[t('error'), error] as const]),
            ...(delivery.retry === undefined
              ? []
              : [[t('afterwards'), <Afterwards key="retry" delivery={delivery} />] as const]),
          ]}
        />
      </Card>
      <Sent body={delivery.body} />
      <Card component="section">
        <Title order={2} mb="sm">
          {t('answer')}
        </Title>
        <Answer delivery={delivery} />
      </Card>
      <Stack gap="sm">
        <Title order={2}>{t('allAttempts')}</Title>
        <DeliveryTable messageId={messageId} />
      </Stack>
    </>
  );
}

/** The name of an endpoint, which leads to its deliveries. */
function EndpointLink({ id }: { readonly id: string }) {
  const nameOf = useEndpointName();
  return (
    <Anchor component={Link} to={`/webhooks?${new URLSearchParams({ endpointId: id })}`} inherit>
      {nameOf(id)}
    </Anchor>
  );
}

/** The consequence of a failed attempt of a webhook with retries. */
function Afterwards({
  delivery: { retry = Retry.RETRY_UNSPECIFIED, retryAt },
}: {
  readonly delivery: WebhookDelivery;
}) {
  const t = useTranslations('webhooks');
  const format = useFormatter();
  const name = enumName(Retry, retry);
  if (name !== 'SCHEDULED' || retryAt === undefined) return t(`retryEnds.${name}`);
  return t('retryAt', { at: format.dateTime(timestampDate(retryAt), 'second') });
}

function Sent({ body }: { readonly body: string | undefined }) {
  const t = useTranslations('webhooks');
  const feedback = useTranslations('feedback');
  return (
    <Card component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('body')}</Title>
        {body !== undefined && (
          <CopyButton value={body}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" leftSection={<Copy size={14} />} onClick={copy}>
                {copied ? feedback('copied') : feedback('copy')}
              </Button>
            )}
          </CopyButton>
        )}
      </Group>
      {body === undefined ? (
        <Text size="sm" c="dimmed">
          {t('bodyGone')}
        </Text>
      ) : (
        <Code block mah={420} style={{ overflow: 'auto' }} tabIndex={0}>
          {indented(body)}
        </Code>
      )}
    </Card>
  );
}

function Answer({ delivery: { responseExcerpt, statusCode } }: { readonly delivery: WebhookDelivery }) {
  const t = useTranslations('webhooks');
  if (responseExcerpt !== undefined && responseExcerpt !== '') {
    return (
      <Code block mah={240} style={{ overflow: 'auto' }} tabIndex={0}>
        {responseExcerpt}
      </Code>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      {statusCode === undefined ? t('noAnswer') : t('emptyAnswer')}
    </Text>
  );
}

function Redeliver({ delivery }: { readonly delivery: WebhookDelivery }) {
  const t = useTranslations('webhooks');
  const confirm = useConfirm();
  const redeliver = useMutation(WebhookAdminService.method.redeliverWebhook);

  async function askAndSend(): Promise<void> {
    const question = { title: t('redeliverTitle'), message: t('redeliverText'), confirm: t('redeliver') };
    if (!(await confirm({ ...question, destructive: false }))) return;
    redeliver.mutate({ id: delivery.id }, { onSuccess: () => notifyDone(t('redelivered')) });
  }

  return (
    <Button leftSection={<RotateCw size={16} />} loading={redeliver.isPending} onClick={() => void askAndSend()}>
      {t('redeliver')}
    </Button>
  );
}

/** JSON with line breaks, for reading; the copy button copies the sent bytes. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
