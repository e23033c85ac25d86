import { createClient } from '@connectrpc/connect';
import { useMutation, useTransport } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { EventDefinition } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useAskUnlessUsed } from '../../feedback/use-ask-unless-used.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { EventEdit } from './event-edit.tsx';

/** The actions on one event definition. */
export function EventActions({ definition }: { readonly definition: EventDefinition }) {
  const t = useTranslations('events');
  const { id = '', programmaticCode: code, version } = definition;
  const askUnlessUsed = useAskUnlessUsed();
  const client = createClient(EventDefinitionAdminService, useTransport());
  const [editing, { open, close }] = useDisclosure(false);
  const remove = useMutation(EventDefinitionAdminService.method.deleteEventDefinition, { meta: { showsError: true } });

  async function askAndRemove(): Promise<void> {
    const question = { title: t('removeTitle', { code }), message: t('removeText'), confirm: t('remove') };
    const readUses = async () => (await client.getEventDefinition({ id })).uses;
    const act = () => remove.mutateAsync({ id, version });
    if (await askUnlessUsed(readUses, code, { ...question, act })) notifyDone(t('removed', { code }));
  }

  return (
    <>
      <RowMenu label={t('menu', { code })}>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={open}>
          {t('editAction')}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
          {t('remove')}
        </Menu.Item>
      </RowMenu>
      {editing && <EventEdit definition={definition} onClose={close} />}
    </>
  );
}
