import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ArrowRight, Pencil } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import type { Client } from '../../../../gen/laurel/admin/v1/client_pb.ts';
import { clientPath } from '../../session/client-address.ts';
import { useSession } from '../../session/session-context.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { ClientEdit } from './client-edit.tsx';

/** The actions on one client. */
export function ClientActions({ client }: { readonly client: Client }) {
  const t = useTranslations('clients');
  const session = useSession();
  const navigate = useNavigate();
  const [editing, { open, close }] = useDisclosure(false);
  const { id, name } = client;

  return (
    <>
      <RowMenu label={t('menu', { name })}>
        {id !== session.client?.id && (
          <Menu.Item leftSection={<ArrowRight size={15} />} onClick={() => void navigate(clientPath(id))}>
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
