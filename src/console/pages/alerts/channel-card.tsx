import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@connectrpc/connect-query';
import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Check, Send, TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  AlertAdminService,
  type AlertChannel,
  AlertChannel_Kind,
  type AlertSettings,
} from '../../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Facts } from '../../shell/facts.tsx';

/** One channel: its target, its state, and the button to test it. */
export function ChannelCard(props: { readonly channel: AlertChannel; readonly settings: AlertSettings }) {
  const t = useTranslations('alerts');
  const format = useFormatter();
  const { channel, settings } = props;
  const { kind, lastSentAt } = channel;
  const isWebhook = kind === AlertChannel_Kind.WEBHOOK;
  const name = t(`channels.${enumName(AlertChannel_Kind, kind)}`);
  return (
    <Card component="section" aria-label={name}>
      <Stack gap="md">
        <Title order={2}>{name}</Title>
        <Text ff={isWebhook ? 'monospace' : undefined} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {isWebhook ? settings.endpoint : settings.recipients.join(', ')}
        </Text>
        <Facts
          facts={[[t('lastSentAt'), lastSentAt ? format.dateTime(timestampDate(lastSentAt), 'moment') : t('never')]]}
        />
        <Health channel={channel} />
        {!isWebhook && !settings.emailAvailable && (
          <Alert color="yellow" icon={<TriangleAlert />}>
            {t('noServer')}
          </Alert>
        )}
        <Allowed to={Permission.KEEP_CLIENT}>
          <Trial channel={channel} name={name} />
        </Allowed>
      </Stack>
    </Card>
  );
}

/** The fault of a channel, if there is one. */
function Health({ channel }: { readonly channel: AlertChannel }) {
  const t = useTranslations('alerts');
  const format = useFormatter();
  const { failingSince, nextAttemptAt, failures: count, error = '' } = channel;
  if (failingSince === undefined)
    return error === '' ? null : (
      <Alert color="yellow" icon={<TriangleAlert />}>
        {t('partly', { error })}
      </Alert>
    );
  const at = nextAttemptAt === undefined ? '' : format.dateTime(timestampDate(nextAttemptAt), 'moment');
  return (
    <Alert
      color="red"
      icon={<TriangleAlert />}
      title={t('failing', { at: format.dateTime(timestampDate(failingSince), 'moment') })}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('failingHint', { count, at, error })}
      </Text>
    </Alert>
  );
}

function Trial({ channel: { kind }, name }: { readonly channel: AlertChannel; readonly name: string }) {
  const t = useTranslations('alerts');
  const test = useMutation(AlertAdminService.method.testAlert);
  const result = test.data?.result;
  return (
    <>
      <Group>
        <Button
          variant="default"
          leftSection={<Send size={16} />}
          loading={test.isPending}
          aria-label={t('testLabel', { channel: name })}
          onClick={() => test.mutate({ channel: kind })}
        >
          {t('test')}
        </Button>
      </Group>
      {result && (
        <Alert
          role="status"
          color={result.success ? 'laurel' : 'red'}
          icon={result.success ? <Check /> : <TriangleAlert />}
          style={{ overflowWrap: 'anywhere' }}
        >
          {result.success ? t('testPassed') : t('testFailed', { error: result.error ?? '' })}
        </Alert>
      )}
    </>
  );
}
