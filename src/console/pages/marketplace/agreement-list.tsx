import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Handshake } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { AgreementAdminService } from '../../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { AgreementForm } from './agreement-form.tsx';
import { AvailableStock } from './available-stock.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The agreements whose stock publications share, by name. */
export function AgreementList() {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  return (
    <ListPage
      title={t('title')}
      tabTitle={t('agreements')}
      description={t('agreementsDescription')}
      pages={<MarketplacePages />}
      create={t('createAgreement')}
      needs={Permission.KEEP_REWARDS}
      form={AgreementForm}
      empty={{ icon: Handshake, title: t('noAgreements'), hint: t('noAgreementsHint') }}
      list={(empty) => (
        <DataTable
          id="agreements"
          label={t('agreements')}
          method={AgreementAdminService.method.listAgreements}
          rowKey={({ id }) => id}
          rowPath={({ id }) => `/marketplace/agreements/${id}`}
          columns={[
            { key: 'name', render: ({ name }) => name },
            {
              key: 'stock',
              title: t('available'),
              align: 'right',
              render: (agreement) => <AvailableStock {...agreement} />,
            },
            {
              key: 'updatedAt',
              render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
            },
          ]}
          empty={empty}
        />
      )}
    />
  );
}
