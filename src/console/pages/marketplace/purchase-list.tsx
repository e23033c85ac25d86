import { useTranslations } from 'use-intl';
import { Page } from '../../shell/page.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';
import { PurchaseTable } from './purchase-table.tsx';

/** The purchases of all publications. */
export function PurchaseList() {
  const t = useTranslations('marketplace');
  return (
    <Page title={t('title')} tabTitle={t('purchases')} description={t('purchasesDescription')}>
      <MarketplacePages />
      <PurchaseTable />
    </Page>
  );
}
