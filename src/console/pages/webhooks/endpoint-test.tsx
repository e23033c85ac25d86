import { useMutation } from '@connectrpc/connect-query';
import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { Check, Send, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Change_Kind } from '../../../../gen/laurel/v1/change_pb.ts';
import type { WebhookEndpoint } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import {
  type TestWebhookEndpointResponse,
  WebhookEndpointService,
} from '../../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { type ChangeKindName, kindsOf } from './change-kinds.ts';

/** Sends a made-up change of one kind to an endpoint, and shows the answer. */
export function EndpointTest(props: { readonly endpoint: WebhookEndpoint; readonly onClose: () => void }) {
  const t = useTranslations('endpoints');
  const webhooks = useTranslations('webhooks');
  const { id, name } = props.endpoint;
  const kinds = kindsOf(props.endpoint);
  const [kind, setKind] = useState<ChangeKindName>(kinds[0] ?? 'REWARDS_DELIVERED');
  const test = useMutation(WebhookEndpointService.method.testWebhookEndpoint, { meta: { showsError: true } });

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    test.mutate({ id, type: Change_Kind[kind] });
  }

  return (
    <FormDialog unsaved={false} onClose={props.onClose} title={t('testTitle', { name })}>
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          <Text size="sm">{t('testHint')}</Text>
          <NativeSelect
            label={t('kind')}
            data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            value={kind}
            data-autofocus
            onChange={({ currentTarget }) => {
              setKind(kinds.find((known) => known === currentTarget.value) ?? kind);
              test.reset();
            }}
          />
          {test.data && <Answer answer={test.data} />}
          {test.error && <FailureAlert error={test.error} />}
          <Group justify="flex-end">
            <Button type="submit" leftSection={<Send size={16} aria-hidden />} loading={test.isPending}>
              {webhooks('test')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

function Answer({ answer: { success, statusCode, error } }: { readonly answer: TestWebhookEndpointResponse }) {
  const t = useTranslations('endpoints');
  const status = String(statusCode);
  return (
    <Alert
      role="status"
      color={success ? 'laurel' : 'red'}
      icon={success ? <Check /> : <TriangleAlert />}
      style={{ overflowWrap: 'anywhere' }}
    >
      {success && t('testPassed', { status })}
      {!success && (error === undefined ? t('testRefused', { status }) : t('testFailed', { error }))}
    </Alert>
  );
}
