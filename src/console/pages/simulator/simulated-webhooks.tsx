import { Code, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { SimulatedWebhook } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { changeKinds } from '../webhooks/change-kinds.ts';
import { webhookTypes } from '../webhooks/webhook-methods.ts';

/** The webhooks that would be sent, folded: target, headers and body. Empty without any. */
export function SimulatedWebhooks({ webhooks }: { readonly webhooks: readonly SimulatedWebhook[] }) {
  const t = useTranslations('simulator');
  if (webhooks.length === 0) return null;
  return (
    <details>
      <summary style={{ cursor: 'pointer' }}>
        <Text span size="sm" fw={600}>
          {t('webhooks', { count: webhooks.length })}
        </Text>
      </summary>
      <Stack gap="md" mt="xs">
        {webhooks.map((webhook, index) => (
          <Preview key={index} webhook={webhook} />
        ))}
        <Text size="xs" c="dimmed">
          {t('webhookHint')}
        </Text>
      </Stack>
    </details>
  );
}

function Preview({ webhook: { type, target, headerNames, body } }: { readonly webhook: SimulatedWebhook }) {
  const t = useTranslations('simulator');
  const types = useTranslations('webhooks.types');
  const kinds = useTranslations('endpoints.kinds');
  const known = webhookTypes.find((name) => name === type);
  const kind = changeKinds.find((name) => name === type);
  return (
    <Stack gap={4} style={{ minWidth: 0 }}>
      <Text size="sm" fw={600}>
        {known !== undefined ? types(known) : kind !== undefined ? kinds(kind) : type}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('webhookTo', { target })} · {t('webhookHeaders')} <Code>{headerNames.join(', ')}</Code>
      </Text>
      <Code block mah={280} style={{ overflow: 'auto' }} tabIndex={0}>
        {JSON.stringify(JSON.parse(body), null, 2)}
      </Code>
    </Stack>
  );
}
