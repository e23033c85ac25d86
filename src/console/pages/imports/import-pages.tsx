import { useTranslations } from 'use-intl';
import { SubNavigation } from '../../shell/sub-navigation.tsx';

/** The two ways of files: in and out. */
export function ImportPages() {
  const t = useTranslations('imports');
  return (
    <SubNavigation
      label={t('title')}
      pages={[
        { to: '/imports', label: t('title') },
        { to: '/imports/exports', label: t('exports') },
      ]}
    />
  );
}
