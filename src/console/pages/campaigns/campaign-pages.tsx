import { useTranslations } from 'use-intl';
import { SubNavigation } from '../../shell/sub-navigation.tsx';

/** The pages of campaigns: their list, the calendar, and standalone missions. */
export function CampaignPages() {
  const t = useTranslations('campaigns.pages');
  return (
    <SubNavigation
      label={t('label')}
      pages={[
        { to: '/campaigns', label: t('list') },
        { to: '/campaigns/calendar', label: t('calendar') },
        { to: '/campaigns/missions', label: t('missions') },
      ]}
    />
  );
}
