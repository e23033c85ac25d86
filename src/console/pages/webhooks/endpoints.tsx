import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Webhook } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import type { WebhookEndpoint } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { WebhookEndpointService } from '../../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { RowsTable } from '../../table/rows-table.tsx';
import { endpointFormName, kindsOf } from './change-kinds.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { WaitingRetries } from './waiting-retries.tsx';

/** The endpoints: addresses that receive several kinds of changes. */
export function Endpoints() {
  const t = useTranslations('endpoints');
  const query = useQuery(WebhookEndpointService.method.listWebhookEndpoints);
  const error = failureOfQuery(query);
  const endpoints = query.data?.rows;
  // The form is kept here, because it still shows the secret when the first endpoint replaces the text of the empty list.
  const [creating, { open, close }] = useDisclosure(false);
  return (
    <Stack component="section" gap="sm" aria-labelledby="webhook-endpoints">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={2} id="webhook-endpoints">
            {t('title')}
          </Title>
          {endpoints?.length !== 0 && (
            <Text size="sm" c="dimmed">
              {t('description')}
            </Text>
          )}
        </div>
        <Allowed to={Permission.KEEP_WEBHOOKS}>
          <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={open}>
            {t('create')}
          </Button>
        </Allowed>
      </Group>
      {endpoints
        ?.filter(({ retries }) => retries)
        .map((endpoint) => (
          <WaitingRetries key={endpoint.id} endpoint={endpoint} />
        ))}
      {error === null ? (
        <EndpointTable endpoints={endpoints} />
      ) : (
        <FailureAlert error={error} retry={() => void query.refetch()} />
      )}
      {creating && <EndpointForm onClose={close} />}
    </Stack>
  );
}

function EndpointTable({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] | undefined }) {
  const t = useTranslations('endpoints');
  const webhooks = useTranslations('webhooks');
  return (
    <RowsTable
      label={t('title')}
      rows={endpoints}
      rowKey={({ id }) => id}
      columns={[
        { key: 'name', width: '18%', render: ({ name }) => name },
        { key: 'url', title: webhooks('target'), width: '20%', render: ({ url }) => originOf(url) },
        { key: 'types', title: t('types'), render: (endpoint) => <Kinds endpoint={endpoint} /> },
        {
          key: 'retries',
          title: webhooks('retries'),
          width: 96,
          render: ({ retries }) => (retries ? t('retriesYes') : t('retriesNo')),
        },
        { key: 'form', title: t('form'), width: 120, render: ({ form }) => t(`forms.${endpointFormName(form)}`) },
      ]}
      rowActions={(endpoint) => <EndpointActions endpoint={endpoint} />}
      empty={<EmptyState icon={Webhook} title={t('empty')} hint={t('emptyHint')} />}
    />
  );
}

/** The kinds of changes of an endpoint, and the number of campaigns to which it is narrowed. */
function Kinds({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const t = useTranslations('endpoints');
  const { campaignIds } = endpoint;
  return (
    <div>
      {kindsOf(endpoint)
        .map((kind) => t(`kinds.${kind}`))
        .join('\u00A0· ')}
      {campaignIds.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('campaignCount', { count: campaignIds.length })}
        </Text>
      )}
    </div>
  );
}

/** Scheme, host and port of an address; the rest may contain a secret. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}
