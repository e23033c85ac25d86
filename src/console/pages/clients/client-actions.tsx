import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight, Pencil } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import type { Client } from '../../../../gen/laurel/admin/v1/client_pb.ts';
import { notifyFailure } from '../../feedback/notify.tsx';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { ClientEdit } from './client-edit.tsx';

/** What can be done with one client. */
export function ClientActions({ client }: { readonly client: Client }) {
  const t = useTranslations('clients');
  const session = useSession();
  const keeper = useSessionKeeper();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [editing, { open, close }] = useDisclosure(false);
  const { id, name } = client;

  async function workFor(): Promise<void> {
    try {
      await keeper.actFor(id);
      queries.clear();
      await navigate('/');
    } catch (error) {
      notifyFailure(error);
    }
  }

  return (
    <>
      <RowMenu label={t('menu', { name })}>
        {id !== session.client?.id && (
          <Menu.Item leftSection={<ArrowRight size={15} />} onClick={() => void workFor()}>
            {t('work')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Pencil size={15} />} onClick={open}>
          {t('editAction')}
        </Menu.Item>
      </RowMenu>
      {editing && <ClientEdit client={client} onClose={close} />}
    </>
  );
}
