import { Stack, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { FeedService } from '../../../../../gen/laurel/v1/feed_service_pb.ts';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Assignment } from '../../../../../gen/laurel/v1/assignment_pb.ts';
import { useAllowed } from '../../../session/allowed.tsx';
import { useAssignmentColumns } from './assignment-columns.tsx';
import { StreakMenu } from '../restore-streak.tsx';
import { StreakProtection } from './streak-protection.tsx';
import { TabFrame } from './tab-frame.tsx';

/** The started and the completed missions of the account, with what keeps its streaks from being lost. */
export function ProgressTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const columns = useAssignmentColumns();
  const may = useAllowed();
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
        {...(may(Permission.SUPPORT_ACCOUNTS) && {
          rowActions: (assignment: Assignment) => <StreakMenu accountId={accountId} assignment={assignment} />,
        })}
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
      <StreakProtection accountId={accountId} />
    </Stack>
  );
}
