import { Badge } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Import } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { importStatusName } from './import-types.ts';

const colours = {
  UPLOADING: 'blue',
  QUEUED: 'gray',
  RUNNING: 'blue',
  DONE: 'laurel',
  FAILED: 'red',
  CANCELLED: 'yellow',
  REVERSING: 'blue',
  REVERSED: 'yellow',
} as const;

/** The status of an import; during the run also its progress. */
export function ImportStatus({ of: { status, rowsRead, rowsTotal } }: { readonly of: Import }) {
  const t = useTranslations('imports.statuses');
  const format = useFormatter();
  const name = importStatusName(status);
  const share = name === 'RUNNING' && rowsTotal !== undefined && rowsTotal > 0 ? rowsRead / rowsTotal : undefined;
  return (
    <Badge color={colours[name]}>
      {t(name)}
      {share !== undefined && ` ${format.number(share, { style: 'percent', maximumFractionDigits: 0 })}`}
    </Badge>
  );
}
