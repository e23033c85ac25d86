import { useMutation } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleAlert, Pencil, Send, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import type { WebhookEndpoint } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { WebhookEndpointService } from '../../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { Allowed } from '../../session/allowed.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { anyFailure } from './delivery-outcomes.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointTest } from './endpoint-test.tsx';

/** The actions on one endpoint. */
export function EndpointActions({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const t = useTranslations('endpoints');
  const webhooks = useTranslations('webhooks');
  const leads = useTranslations('leads');
  const { id, name, version } = endpoint;
  const confirm = useConfirm();
  const [editing, editor] = useDisclosure(false);
  const [testing, tester] = useDisclosure(false);
  const remove = useMutation(WebhookEndpointService.method.deleteWebhookEndpoint, { meta: { showsError: true } });

  async function askAndRemove(): Promise<void> {
    const question = { title: t('removeTitle', { name }), message: t('removeText'), confirm: webhooks('remove') };
    const act = () => remove.mutateAsync({ id, version });
    if (await confirm({ ...question, act })) notifyDone(t('removed', { name }));
  }

  return (
    <>
      <RowMenu label={t('menu', { name })}>
        <Menu.Item
          component={Link}
          to={`/webhooks?${new URLSearchParams({ endpointId: id, outcome: anyFailure })}`}
          leftSection={<CircleAlert size={15} />}
        >
          {leads('failures')}
        </Menu.Item>
        <Allowed to={Permission.KEEP_WEBHOOKS}>
          <Menu.Item leftSection={<Send size={15} />} onClick={tester.open}>
            {webhooks('test')}
          </Menu.Item>
          <Menu.Item leftSection={<Pencil size={15} />} onClick={editor.open}>
            {webhooks('edit')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
            {webhooks('remove')}
          </Menu.Item>
        </Allowed>
      </RowMenu>
      {testing && <EndpointTest endpoint={endpoint} onClose={tester.close} />}
      {editing && <EndpointForm endpoint={endpoint} onClose={editor.close} />}
    </>
  );
}
