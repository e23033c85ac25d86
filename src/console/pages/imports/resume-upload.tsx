import { Card, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Import } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import { FileField } from './file-field.tsx';
import { startUpload, type UploadState } from './uploads.ts';
import { useBytes } from './use-bytes.ts';

/** Takes the file of an import whose upload stopped: it continues at the service's position. */
export function ResumeUpload({ of: shown, upload }: { readonly of: Import; readonly upload: UploadState | undefined }) {
  const t = useTranslations('imports');
  const bytes = useBytes();
  const keeper = useSessionKeeper();
  const [fault, setFault] = useState<string>();

  function resume(file: File): void {
    // The page can only check the name and the minimum length; the service checks the whole file before it applies any row.
    const same = file.name.slice(0, 255) === shown.fileName && file.size >= shown.bytes;
    setFault(same ? undefined : t('otherFileFault', { name: shown.fileName }));
    if (same) void startUpload(keeper, shown, file);
  }

  return (
    <Card>
      <Stack gap="md">
        {upload?.failure !== undefined && <FailureAlert error={upload.failure} />}
        <Text size="sm">{t('resumeHint', { bytes: bytes(shown.bytes) })}</Text>
        <FileField label={t('resume', { name: shown.fileName })} file={undefined} onFile={resume} error={fault} />
      </Stack>
    </Card>
  );
}
