import { Stack, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { FeedService } from '../../../../gen/laurel/v1/feed_service_pb.ts';
import { useAssignmentColumns } from './assignment-columns.tsx';
import { TabFrame } from './tab-frame.tsx';

/** The started and the completed missions of the account. */
export function ProgressTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const columns = useAssignmentColumns();
  return (
    <Stack gap="md">
      <Title order={2}>{t('begun')}</Title>
      <TabFrame
        method={FeedService.method.listMissionProgress}
        input={{ accountId }}
        rowsOf={({ assignments }) => assignments}
        rowKey={({ id }) => id}
        label={t('begun')}
        emptyHint={t('begunEmpty')}
        columns={columns}
      />
      <Title order={2} mt="md">
        {t('completed')}
      </Title>
      <TabFrame
        method={FeedService.method.listCompletedMissions}
        input={{ accountId }}
        rowsOf={({ assignments }) => assignments}
        rowKey={({ id }) => id}
        label={t('completed')}
        emptyHint={t('completedEmpty')}
        columns={columns}
      />
    </Stack>
  );
}
