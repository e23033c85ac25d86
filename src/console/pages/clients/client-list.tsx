import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Building2, Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useSession } from '../../session/session-context.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ClientActions } from './client-actions.tsx';
import { ClientForm } from './client-form.tsx';

/** Every client of the service, for those who run it. */
export function ClientList() {
  const t = useTranslations('clients');
  const format = useFormatter();
  const session = useSession();
  const [creating, { open, close }] = useDisclosure(false);
  const button = (
    <Button leftSection={<Plus size={16} />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <DataTable
        id="clients"
        label={t('title')}
        method={ClientAdminService.method.listClients}
        rowKey={({ id }) => id}
        filters={[{ field: 'name', label: t('name') }]}
        columns={[
          {
            key: 'name',
            title: t('name'),
            render: ({ id, name }) => (
              <Group gap="xs" component="span">
                {name}
                {id === session.client?.id && <Badge component="span">{t('current')}</Badge>}
              </Group>
            ),
          },
          { key: 'timeZone', title: t('timeZone'), render: ({ timeZone }) => timeZone },
          { key: 'id', title: 'Id', wideOnly: true, render: ({ id }) => id },
          {
            key: 'createdAt',
            title: t('createdAt'),
            wideOnly: true,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
          },
        ]}
        rowActions={(client) => <ClientActions client={client} />}
        empty={<EmptyState icon={Building2} title={t('empty')} hint={t('emptyHint')} action={button} />}
      />
      {creating && <ClientForm onClose={close} />}
    </Page>
  );
}
