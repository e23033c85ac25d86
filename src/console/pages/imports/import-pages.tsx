import { useTranslations } from 'use-intl';
import { SubNavigation } from '../../shell/sub-navigation.tsx';
import { useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The two ways of files: in and out. */
export function ImportPages() {
  const t = useTranslations('imports');
  const may = useAllowed();
  return (
    <SubNavigation
      label={t('title')}
      pages={[
        { to: '/imports', label: t('title') },
        ...(may(Permission.EXPORT) ? [{ to: '/imports/exports', label: t('exports') }] : []),
      ]}
    />
  );
}
