import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Building2 } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { ListedName } from '../../names/listed-name.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { CopyId } from '../../shell/copy-id.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ClientActions } from './client-actions.tsx';
import { ClientForm } from './client-form.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** All clients of the service, for its operators. */
export function ClientList() {
  const t = useTranslations('clients');
  const format = useFormatter();
  const session = useSession();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.ADMINISTER_SERVICE}
      form={ClientForm}
      empty={{ icon: Building2, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="clients"
          label={t('title')}
          method={ClientAdminService.method.listClients}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'name',
              render: ({ id, name }) => <ListedName name={name} badge={id === session.client?.id && t('current')} />,
            },
            { key: 'timeZone', render: ({ timeZone }) => timeZone },
            { key: 'id', title: 'Id', wideOnly: true, render: ({ id }) => <CopyId id={id} /> },
            {
              key: 'createdAt',
              wideOnly: true,
              render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
            },
          ]}
          rowActions={(client) => <ClientActions client={client} />}
          empty={empty}
        />
      )}
    />
  );
}
