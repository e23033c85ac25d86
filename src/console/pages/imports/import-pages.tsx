import { useTranslations } from 'use-intl';
import { SubNavigation } from '../../shell/sub-navigation.tsx';
import { useMay } from '../../session/may.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The two ways of files: in and out. */
export function ImportPages() {
  const t = useTranslations('imports');
  const may = useMay();
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
