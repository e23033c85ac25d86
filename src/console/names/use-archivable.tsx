import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { useTranslations } from 'use-intl';
import { ListedName } from './listed-name.tsx';

/** For lists of resources that are archived instead of removed: the filter that also shows archived ones, and their mark. */
export function useArchivable() {
  const t = useTranslations('archivable');
  return {
    filter: { field: 'includeDeleted', label: t('inUse'), options: [{ value: 'true', label: t('withArchived') }] },
    renderName: ({ name, archivedAt }: { readonly name: string; readonly archivedAt?: Timestamp }) => (
      <ListedName name={name} badge={archivedAt !== undefined && t('badge')} color="gray" />
    ),
  };
}
