import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Handshake, Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { AgreementAdminService } from '../../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { AgreementForm } from './agreement-form.tsx';
import { AvailableStock } from './available-stock.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';

/** The agreements whose stock publications share, by name. */
export function AgreementList() {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  const [creating, { open, close }] = useDisclosure(false);
  const button = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      {t('createAgreement')}
    </Button>
  );
  return (
    <Page title={t('title')} tabTitle={t('agreements')} description={t('agreementsDescription')} actions={button}>
      <MarketplacePages />
      <DataTable
        id="agreements"
        label={t('agreements')}
        method={AgreementAdminService.method.listAgreements}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/marketplace/agreements/${id}`}
        filters={[{ field: 'name', label: t('name') }]}
        columns={[
          { key: 'name', title: t('name'), render: ({ name }) => name },
          {
            key: 'stock',
            title: t('available'),
            align: 'right',
            render: (agreement) => <AvailableStock {...agreement} />,
          },
          {
            key: 'updatedAt',
            title: t('updatedAt'),
            render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={Handshake} title={t('noAgreements')} hint={t('noAgreementsHint')} action={button} />}
      />
      {creating && <AgreementForm onClose={close} />}
    </Page>
  );
}
