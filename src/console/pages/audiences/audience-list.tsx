import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Users } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { AudienceForm } from './audience-form.tsx';
import { AudienceKind, audienceKinds } from './audience-kind.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The audiences of the client, by name. */
export function AudienceList() {
  const t = useTranslations('audiences');
  const format = useFormatter();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_AUDIENCES}
      form={AudienceForm}
      empty={{ icon: Users, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="audiences"
          label={t('title')}
          method={AudienceAdminService.method.listAudiences}
          rowKey={({ id }) => id}
          rowPath={({ id }) => `/audiences/${id}`}
          filters={[
            {
              field: 'kind',
              label: t('kind'),
              options: audienceKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
            },
          ]}
          columns={[
            { key: 'name', render: ({ name }) => name },
            { key: 'kind', title: t('kind'), render: ({ kind }) => <AudienceKind kind={kind} /> },
            { key: 'description', wideOnly: true, render: ({ description }) => description },
            {
              key: 'updatedAt',
              wideOnly: true,
              render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
            },
          ]}
          empty={empty}
        />
      )}
    />
  );
}
