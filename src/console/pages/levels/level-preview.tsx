import { useMutation } from '@connectrpc/connect-query';
import { Button, Group, Text } from '@mantine/core';
import { Scale } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { LevelTrackAdminService } from '../../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { type LevelTrackValues, trackDraft } from './level-values.ts';

/** Counts, when asked, the accounts that the values of a form would raise and lower. */
export function LevelPreview({ values }: { readonly values: LevelTrackValues }) {
  const t = useTranslations('levels');
  const preview = useMutation(LevelTrackAdminService.method.previewLevelTrack);
  const { data, error, isPending } = preview;
  return (
    <div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<Scale size={16} aria-hidden />}
          loading={isPending}
          onClick={() => preview.mutate({ levelTrack: trackDraft(values) })}
        >
          {t('preview')}
        </Button>
        {data && (
          <Text size="sm" aria-live="polite">
            {t('previewed', { rising: data.rising, falling: data.falling, unchanged: data.unchanged })}
          </Text>
        )}
      </Group>
      {error && <FailureAlert error={error} />}
    </div>
  );
}
