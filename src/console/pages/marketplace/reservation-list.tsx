import { useTranslations } from 'use-intl';
import { Page } from '../../shell/page.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';
import { ReservationTable } from './reservation-table.tsx';

/** The reservations of all publications. */
export function ReservationList() {
  const t = useTranslations('marketplace');
  return (
    <Page title={t('title')} tabTitle={t('reservations')} description={t('reservationsDescription')}>
      <MarketplacePages />
      <ReservationTable />
    </Page>
  );
}
