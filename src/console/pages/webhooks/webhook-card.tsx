import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation, useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Alert, Anchor, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Check, Pencil, Send, Trash2, TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type WebhookConfiguration,
  WebhookConfiguration_AuthenticationMethodType as Authentication,
} from '../../../../gen/laurel/v1/webhook_pb.ts';
import { failureOf, failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { Link } from 'react-router';
import { anyFailure } from './delivery-outcomes.ts';
import { Facts } from '../../shell/facts.tsx';
import { BadgesSwitch } from './badges-switch.tsx';
import { WaitingRetries } from './waiting-retries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { httpMethodName, sendWhenName, webhookMethods, type WebhookTypeName } from './webhook-methods.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One webhook: its target, its authentication, and the buttons to test, change and delete it. */
export function WebhookCard({ type }: { readonly type: WebhookTypeName }) {
  const t = useTranslations('webhooks');
  // The page has read it already; a webhook without a configuration, whose answer is an error, is not read again at once.
  const query = useQuery(webhookMethods[type].get, {}, { retryOnMount: false });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const [editing, { open, close }] = useDisclosure(false);
  const missing = error !== null && failureOf(error).code === 'WEBHOOK_NOT_FOUND';
  // After a deletion the former answer is still there beside the 404.
  const configuration = missing ? undefined : data?.configuration;

  return (
    <Card component="section" aria-label={t(`types.${type}`)}>
      <Stack gap="md" h="100%">
        <div>
          <Title order={2}>{t(`types.${type}`)}</Title>
          <Text size="sm" c="dimmed">
            {t(`typeHints.${type}`)}
          </Text>
        </div>
        {configuration && <Configured type={type} configuration={configuration} onEdit={open} />}
        {missing && <NotConfigured type={type} onConfigure={open} />}
        {error !== null && !missing && !configuration && <FailureAlert error={error} retry={() => void refetch()} />}
        {error === null && !configuration && <Skeleton h={150} />}
      </Stack>
      {editing && <WebhookForm type={type} configuration={configuration} onClose={close} />}
    </Card>
  );
}

function NotConfigured({ type, onConfigure }: { readonly type: WebhookTypeName; readonly onConfigure: () => void }) {
  const t = useTranslations('webhooks');
  return (
    <Stack gap="md" mih={150} justify="space-between">
      <div>
        <Text fw={600}>{t('notConfigured')}</Text>
        <Text size="sm" c="dimmed">
          {t('notConfiguredHint')}
        </Text>
      </div>
      <Group>
        <Allowed to={Permission.KEEP_WEBHOOKS}>
          <Button onClick={onConfigure} aria-label={t('configureLabel', { type: t(`types.${type}`) })}>
            {t('configure')}
          </Button>
        </Allowed>
      </Group>
    </Stack>
  );
}

function Configured(props: {
  readonly type: WebhookTypeName;
  readonly configuration: WebhookConfiguration;
  readonly onEdit: () => void;
}) {
  const t = useTranslations('webhooks');
  const leads = useTranslations('leads');
  const format = useFormatter();
  const { type, configuration } = props;
  const { endpoint, method, signed, sendWhen, retries, updatedAt, warnings } = configuration;
  const name = t(`types.${type}`);
  const test = useMutation(webhookMethods[type].test);
  return (
    <Stack gap="md" mih={150} justify="space-between">
      <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Text span inherit fw={650}>
          {httpMethodName(method)}
        </Text>{' '}
        {endpoint}
      </Text>
      <Facts
        facts={[
          [t('authentication'), <AuthenticationText key="authentication" configuration={configuration} />],
          [t('signature'), signed ? t('signedYes') : t('signedNo')],
          ...(type === 'REWARDS' ? [[t('sendWhen'), t(`sendWhens.${sendWhenName(sendWhen)}`)] as const] : []),
          [t('retries'), retries ? t('retriesYes') : t('retriesNo')],
          [t('updatedAt'), updatedAt && format.dateTime(timestampDate(updatedAt), 'moment')],
        ]}
      />
      {warnings.map(({ code, message }) => (
        <Alert key={code} color="yellow" icon={<TriangleAlert />}>
          {code === 'SECRET_OVER_HTTP' ? t('secretOverHttp') : message}
        </Alert>
      ))}
      {type === 'REWARDS' && (
        <Allowed to={Permission.KEEP_CLIENT}>
          <BadgesSwitch />
        </Allowed>
      )}
      {retries && <WaitingRetries type={type} />}
      <Anchor
        component={Link}
        to={`/webhooks?${new URLSearchParams({ type, outcome: anyFailure })}`}
        size="sm"
        aria-label={leads('failuresLabel', { type: name })}
      >
        {leads('failures')}
      </Anchor>
      <Allowed to={Permission.KEEP_WEBHOOKS}>
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<Send size={16} />}
            loading={test.isPending}
            onClick={() => test.mutate({})}
            aria-label={t('testLabel', { type: name })}
          >
            {t('test')}
          </Button>
          <Button
            variant="default"
            leftSection={<Pencil size={16} />}
            onClick={props.onEdit}
            aria-label={t('editLabel', { type: name })}
          >
            {t('edit')}
          </Button>
          <Remove type={type} />
        </Group>
      </Allowed>
      {test.data && (
        <Alert
          role="status"
          color={test.data.success ? 'laurel' : 'red'}
          icon={test.data.success ? <Check /> : <TriangleAlert />}
        >
          {test.data.success ? t('testPassed') : t('testFailed')}
        </Alert>
      )}
    </Stack>
  );
}

function AuthenticationText({ configuration }: { readonly configuration: WebhookConfiguration }) {
  const t = useTranslations('webhooks');
  const { authenticationMethodType: type, authenticationMethodKey: key, authenticationValue: value } = configuration;
  if (type === undefined || type === Authentication.AUTHENTICATION_METHOD_TYPE_UNSPECIFIED) {
    return t('authentications.NONE');
  }
  return (
    <Text span inherit ff="monospace">
      {key}
      {type === Authentication.HEADER ? ': ' : '='}
      {value}
    </Text>
  );
}

function Remove({ type }: { readonly type: WebhookTypeName }) {
  const t = useTranslations('webhooks');
  const confirm = useConfirm();
  const remove = useMutation(webhookMethods[type].remove);

  async function askAndRemove(): Promise<void> {
    if (!(await confirm({ title: t('removeTitle'), message: t('removeText'), confirm: t('remove') }))) return;
    remove.mutate({}, { onSuccess: () => notifyDone(t('removed')) });
  }

  return (
    <ActionIcon
      variant="subtle"
      color="red"
      size={36}
      loading={remove.isPending}
      aria-label={t('removeLabel', { type: t(`types.${type}`) })}
      onClick={() => void askAndRemove()}
    >
      <Trash2 size={16} />
    </ActionIcon>
  );
}
