import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { useTranslations } from 'use-intl';
import { ListedName } from './listed-name.tsx';

/** For lists of what is archived instead of removed: the filter that shows the archived ones too, and how they are told. */
export function useArchivable() {
  const t = useTranslations('archivable');
  return {
    filter: { field: 'includeDeleted', label: t('inUse'), options: [{ value: 'true', label: t('withArchived') }] },
    renderName: ({ name, archivedAt }: { readonly name: string; readonly archivedAt?: Timestamp }) => (
      <ListedName name={name} badge={archivedAt !== undefined && t('badge')} color="gray" />
    ),
  };
}
