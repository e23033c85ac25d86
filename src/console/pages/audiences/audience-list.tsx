import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Users } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { AudienceForm } from './audience-form.tsx';
import { AudienceKind, audienceKinds } from './audience-kind.tsx';

/** The audiences of the client, by name. */
export function AudienceList() {
  const t = useTranslations('audiences');
  const format = useFormatter();
  const [creating, { open, close }] = useDisclosure(false);
  const button = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <DataTable
        id="audiences"
        label={t('title')}
        method={AudienceAdminService.method.listAudiences}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/audiences/${id}`}
        filters={[
          { field: 'name', label: t('name') },
          {
            field: 'kind',
            label: t('kind'),
            options: audienceKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
          },
        ]}
        columns={[
          { key: 'name', title: t('name'), render: ({ name }) => name },
          { key: 'kind', title: t('kind'), render: ({ kind }) => <AudienceKind kind={kind} /> },
          { key: 'description', title: t('note'), wideOnly: true, render: ({ description }) => description },
          {
            key: 'updatedAt',
            title: t('updatedAt'),
            wideOnly: true,
            render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={Users} title={t('empty')} hint={t('emptyHint')} action={button} />}
      />
      {creating && <AudienceForm onClose={close} />}
    </Page>
  );
}
