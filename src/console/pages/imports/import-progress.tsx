import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Card, Group, Progress, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { type Import, Import_Status } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { ImportStatus } from './import-status.tsx';
import type { UploadState } from './uploads.ts';
import { useBytes } from './use-bytes.ts';

/** The states in which something moves. */
const ANIMATED: ReadonlySet<Import_Status> = new Set([
  Import_Status.UPLOADING,
  Import_Status.RUNNING,
  Import_Status.REVERSING,
]);

/** The progress of an import: the upload, then its rows, and the events that are taken back. */
export function ImportProgress({
  of: shown,
  upload,
}: {
  readonly of: Import;
  readonly upload: UploadState | undefined;
}) {
  const t = useTranslations('imports');
  const format = useFormatter();
  const bytes = useBytes();
  const share = shareOf(shown, upload);
  const { status, rowsRead, rowsTotal } = shown;

  function words(): string {
    if (status === Import_Status.UPLOADING && upload) {
      return t('sent', { sent: bytes(upload.sent), size: bytes(upload.size) });
    }
    const isTakenBack = status === Import_Status.REVERSING || status === Import_Status.REVERSED;
    if (isTakenBack) return t('reversedOf', { reversed: shown.rowsReversed ?? 0, rows: shown.rowsCreated });
    if (status === Import_Status.QUEUED) return t('queuedHint');
    if (status === Import_Status.RUNNING && rowsTotal === undefined) return t('checking');
    return t('rowsOf', { rows: rowsRead, total: rowsTotal ?? rowsRead });
  }

  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <ImportStatus of={shown} />
            <Text size="sm" role="status" className="laurel-number">
              {words()}
            </Text>
          </Group>
          {share !== undefined && (
            <Text size="sm" fw={550} className="laurel-number">
              {format.number(share, { style: 'percent', maximumFractionDigits: 0 })}
            </Text>
          )}
        </Group>
        <Progress
          value={(share ?? (status === Import_Status.DONE ? 1 : 0)) * 100}
          animated={ANIMATED.has(status)}
          color={colourOf(status)}
          size="lg"
          aria-label={t('progress')}
        />
        {status === Import_Status.UPLOADING && (
          <Text size="xs" c="dimmed">
            {t('keepOpen')}
          </Text>
        )}
        {shown.waitingSince !== undefined && (
          <Text size="sm" c="orange" role="alert">
            {t('waits', { since: format.dateTime(timestampDate(shown.waitingSince), 'second') })}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function colourOf(status: Import_Status): string {
  if (status === Import_Status.FAILED) return 'red';
  return status === Import_Status.CANCELLED ? 'yellow' : 'laurel';
}

/** The share from 0 to 1; undefined while it is unknown. */
function shareOf(shown: Import, upload: UploadState | undefined): number | undefined {
  const { status, rowsRead, rowsTotal, rowsCreated, rowsReversed = 0 } = shown;
  if (status === Import_Status.UPLOADING) return upload && upload.size > 0 ? upload.sent / upload.size : undefined;
  if (status === Import_Status.REVERSING) return rowsCreated > 0 ? rowsReversed / rowsCreated : undefined;
  if (rowsTotal === undefined) return undefined;
  return rowsTotal === 0 ? 1 : rowsRead / rowsTotal;
}
