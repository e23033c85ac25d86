import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button, Text } from '@mantine/core';
import { FileUp, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { ImportAdminService } from '../../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ImportPages } from './import-pages.tsx';
import { ImportStatus } from './import-status.tsx';
import { importStatuses, importTypeName, importTypes } from './import-types.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** Milliseconds between two refreshes while imports run. */
const REFRESH_MS = 3_000;

/** The imports of the client, latest first. */
export function ImportList() {
  const t = useTranslations('imports');
  const format = useFormatter();
  const button = (
    <Allowed to={Permission.IMPORT}>
      <Button component={Link} to="/imports/new" leftSection={<Plus size={16} aria-hidden />}>
        {t('create')}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <ImportPages />
      <DataTable
        id="imports"
        label={t('title')}
        method={ImportAdminService.method.listImports}
        refetchInterval={REFRESH_MS}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/imports/${id}`}
        filters={[
          {
            field: 'type',
            label: t('type'),
            options: importTypes.map((value) => ({ value, label: t(`types.${value}`) })),
          },
          {
            field: 'status',
            options: importStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
          },
        ]}
        columns={[
          { key: 'fileName', title: t('fileName'), render: ({ fileName }) => fileName },
          { key: 'type', title: t('type'), render: ({ type }) => t(`types.${importTypeName(type)}`) },
          { key: 'status', render: (row) => <ImportStatus of={row} /> },
          {
            key: 'rowsRead',
            title: t('rowsRead'),
            align: 'right',
            render: ({ rowsRead }) => format.number(rowsRead),
          },
          {
            key: 'rowsRefused',
            title: t('rowsRefused'),
            align: 'right',
            render: ({ rowsRefused }) => (
              <Text inherit component="span" c={rowsRefused > 0 ? 'red' : undefined}>
                {format.number(rowsRefused)}
              </Text>
            ),
          },
          {
            key: 'createdAt',
            wideOnly: true,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={FileUp} title={t('empty')} hint={t('emptyHint')} action={button} />}
      />
    </Page>
  );
}
