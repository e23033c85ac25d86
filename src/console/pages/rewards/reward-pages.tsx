import { useTranslations } from 'use-intl';
import { SubNavigation } from '../../shell/sub-navigation.tsx';

/** The two pages of rewards: definitions, and chests that may contain them. */
export function RewardPages() {
  const t = useTranslations('rewards');
  return (
    <SubNavigation
      label={t('title')}
      pages={[
        { to: '/rewards', label: t('title') },
        { to: '/rewards/chests', label: t('chests') },
      ]}
    />
  );
}
