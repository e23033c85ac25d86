import { useTranslations } from 'use-intl';
import { SubNavigation } from '../../shell/sub-navigation.tsx';

/** The pages of the marketplace. */
export function MarketplacePages() {
  const t = useTranslations('marketplace');
  return (
    <SubNavigation
      label={t('title')}
      pages={[
        { to: '/marketplace', label: t('publications') },
        { to: '/marketplace/agreements', label: t('agreements') },
        { to: '/marketplace/reservations', label: t('reservations') },
        { to: '/marketplace/purchases', label: t('purchases') },
      ]}
    />
  );
}
