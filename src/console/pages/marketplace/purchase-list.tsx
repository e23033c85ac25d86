import { useTranslations } from 'use-intl';
import { DownloadButton } from '../../shell/download-button.tsx';
import { Page } from '../../shell/page.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';
import { PurchaseTable } from './purchase-table.tsx';
import { Allowed } from '../../session/may.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** What was bought of all publications. */
export function PurchaseList() {
  const t = useTranslations('marketplace');
  return (
    <Page
      title={t('title')}
      tabTitle={t('purchases')}
      description={t('purchasesDescription')}
      actions={
        <Allowed to={Permission.EXPORT}>
          <DownloadButton path="/admin/exports/redemptions.csv" fileName="redemptions.csv">
            {t('export')}
          </DownloadButton>
        </Allowed>
      }
    >
      <MarketplacePages />
      <PurchaseTable />
    </Page>
  );
}
