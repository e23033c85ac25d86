import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button, Code } from '@mantine/core';
import { Contact, FileUp } from 'lucide-react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { AccountService } from '../../../../gen/laurel/v1/account_service_pb.ts';
import { typeNameOf } from '../../attributes/attribute-entries.ts';
import { useDeclaredAttributes } from '../../attributes/use-account-attributes.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import type { TableFilter } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { AccountAttributes } from './account-attributes.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The accounts of the client, to be found by any field. */
export function AccountList() {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const filters = useAttributeFilters();
  const toImports = (
    <Allowed to={Permission.IMPORT}>
      <Button component={Link} to="/imports" variant="default" leftSection={<FileUp size={16} />}>
        {t('import')}
      </Button>
    </Allowed>
  );
  // The filters in the address are known with the declaration, and no list without them must show before.
  if (filters === undefined) return <PageSkeleton />;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <>
          <AccountAttributes />
          {toImports}
        </>
      }
    >
      <DataTable
        id="accounts"
        label={t('title')}
        method={AccountService.method.listAccounts}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/accounts/${id}`}
        filters={filters}
        columns={[
          {
            key: 'externalId',
            render: ({ externalId, id }) => externalId ?? <Code>{id}</Code>,
          },
          { key: 'name', render: ({ name }) => name ?? '–' },
          { key: 'email', render: ({ email }) => email ?? '–' },
          {
            key: 'timeZone',
            wideOnly: true,
            render: ({ timeZone }) => timeZone ?? t('ofClient'),
          },
          {
            key: 'createdAt',
            wideOnly: true,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
          },
        ]}
        empty={<EmptyState icon={Contact} title={t('empty')} hint={t('emptyHint')} action={toImports} />}
      />
    </Page>
  );
}

/** Filters for the attributes with texts or a yes or no; undefined until the declaration is loaded. */
function useAttributeFilters(): readonly TableFilter[] | undefined {
  const t = useTranslations('attributes');
  const declared = useDeclaredAttributes();
  const yesOrNo = (['yes', 'no'] as const).map((word) => ({ value: String(word === 'yes'), label: t(word) }));
  return declared?.flatMap((attribute): TableFilter[] => {
    const { name, allowedValues } = attribute;
    const type = typeNameOf(attribute);
    if (type !== 'STRING' && type !== 'BOOLEAN') return [];
    const filter = { field: `attributes.${name}`, label: name, group: t('one') };
    if (type === 'BOOLEAN') return [{ ...filter, options: yesOrNo }];
    if (allowedValues.length === 0) return [filter];
    return [{ ...filter, options: allowedValues.map((value) => ({ value, label: value })), exact: true }];
  });
}
