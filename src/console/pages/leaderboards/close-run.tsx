import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type CloseLeaderboardRunResponse,
  LeaderboardAdminService,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { LeaderboardRun } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { RowsTable } from '../../table/rows-table.tsx';
import { useRewardNames } from '../campaigns/use-names.ts';
import { AccountLink } from './rank-table.tsx';
import { useRunName } from './use-run-name.ts';

/** The winners that are listed; the service names 100. */
const LISTED = 10;

/** Closes a period after a look at who would get what. */
export function CloseRun({ run, onClose }: { readonly run: LeaderboardRun; readonly onClose: () => void }) {
  const t = useTranslations('leaderboards');
  const form$ = useTranslations('form');
  const period = useRunName()(run);
  const target = { id: run.leaderboardId, runId: run.id };
  const method = LeaderboardAdminService.method.closeLeaderboardRun;
  const { data, error } = useQuery(method, { ...target, dryRun: true }, { staleTime: 0, gcTime: 0 });
  const close = useMutation(method, { meta: { showsError: true } });
  const failure = error ?? close.error;

  function confirm(): void {
    const onSuccess = () => {
      notifyDone(t('runClosed', { period }));
      onClose();
    };
    close.mutate(target, { onSuccess });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': form$('close') }}
      title={t('closeRunTitle', { period })}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{t('closeRunText')}</Text>
        {data === undefined && error === null && <Skeleton h={120} />}
        {data && run.leagues.length > 0 && (
          <Text fw={550}>{t('movedOf', { promoted: data.promoted, relegated: data.relegated })}</Text>
        )}
        {data && <Winners of={data} />}
        {failure !== null && <FailureAlert error={failure} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {form$('cancel')}
          </Button>
          <Button onClick={confirm} loading={close.isPending} disabled={data === undefined}>
            {t('closeRun')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Winners({ of: { winners, winnersTotal, given } }: { readonly of: CloseLeaderboardRunResponse }) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  const rewardName = useRewardNames(given.map(({ rewardId }) => rewardId));
  const listed = winners.slice(0, LISTED);
  /** Prizes of overlapping ranks may give a reward several times. */
  const rewardsOf = (ids: readonly string[]) =>
    [...new Set(ids)].map((id) => {
      const times = ids.filter((each) => each === id).length;
      return times === 1 ? rewardName(id) : t('times', { reward: rewardName(id), times });
    });
  if (winnersTotal === 0) return <Text fw={550}>{t('noWinners')}</Text>;
  return (
    <>
      <div>
        <Text fw={550}>{t('winners', { count: winnersTotal })}</Text>
        <List size="sm">
          {given.map(({ rewardId, accounts }) => (
            <List.Item key={rewardId}>{t('given', { reward: rewardName(rewardId), count: accounts })}</List.Item>
          ))}
        </List>
      </div>
      {winnersTotal > listed.length && (
        <Text size="sm" c="dimmed">
          {t('firstOf', { shown: listed.length, count: winnersTotal })}
        </Text>
      )}
      <RowsTable
        label={t('winnersTable')}
        rows={listed.flatMap(({ entry, rewardIds, place }) =>
          entry === undefined ? [] : [{ entry, rewardIds, place }],
        )}
        rowKey={({ entry, place }) => `${entry.accountId} ${place?.league ?? ''}`}
        columns={[
          {
            key: 'rank',
            title: t('rank'),
            render: ({ entry: { rank }, place }) =>
              place === undefined
                ? format.number(rank)
                : t('rankInGroup', { rank, league: place.leagueName, group: place.group ?? 0 }),
          },
          { key: 'account', render: ({ entry }) => <AccountLink entry={entry} /> },
          { key: 'rewards', title: t('rewards'), render: ({ rewardIds }) => format.list(rewardsOf(rewardIds)) },
        ]}
        empty={null}
      />
    </>
  );
}
