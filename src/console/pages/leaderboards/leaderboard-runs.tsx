import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useInfiniteQuery } from '@connectrpc/connect-query';
import { Button, Menu, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Ban, Flag, ListOrdered } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  LeaderboardAdminService,
  type LeaderboardDefinition,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { type LeaderboardRun, LeaderboardRun_Status as Status } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { LeaderboardService } from '../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { ReasonDialog } from '../../form/reason-dialog.tsx';
import { useAllowed } from '../../session/allowed.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { RowsTable } from '../../table/rows-table.tsx';
import { CloseRun } from './close-run.tsx';
import { LeaderboardDistribution } from './leaderboard-distribution.tsx';
import { LeaderboardEntries } from './leaderboard-entries.tsx';
import { RunStatus } from './leaderboard-status.tsx';
import { useAnswered } from './use-answered.ts';
import { useRunName } from './use-run-name.ts';

/** Milliseconds between two refreshes: events move ranks, and prizes are delivered. */
const REFRESH_MS = 10_000;

/** The ranks of one period, the latest first of all, and all periods. */
export function LeaderboardRuns({ board }: { readonly board: LeaderboardDefinition }) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  const runName = useRunName();
  const may = useAllowed();
  const [chosen, choose] = useState<string>();
  const query = useInfiniteQuery(
    LeaderboardService.method.listLeaderboardRuns,
    { id: board.id, cursor: '' },
    {
      pageParamKey: 'cursor',
      getNextPageParam: ({ nextCursor }) => nextCursor,
      refetchInterval: REFRESH_MS,
    },
  );
  const runs = query.data?.pages.flatMap(({ rows }) => rows);
  const shown = runs?.find(({ id }) => id === chosen) ?? runs?.[0];
  const isAnswered = useAnswered(shown);
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  if (runs === undefined || (shown && !isAnswered)) return <Skeleton h={760} />;
  return (
    <>
      {shown && <LeaderboardEntries key={shown.id} board={board} run={shown} />}
      {shown && <LeaderboardDistribution key={`${shown.id} values`} board={board} run={shown} />}
      {shown && board.leagues && <LeagueTable run={shown} />}
      <Stack gap="sm" component="section">
        <Title order={2}>{t('runs')}</Title>
        <RowsTable
          label={t('runs')}
          rows={runs}
          rowKey={({ id }) => id}
          columns={[
            { key: 'period', title: t('period'), render: runName, sort: ({ periodKey = '' }) => periodKey },
            { key: 'status', render: (run) => <RunState run={run} /> },
            {
              key: 'entries',
              title: t('entries'),
              align: 'right',
              render: ({ entries }) => (entries === undefined ? '–' : format.number(entries)),
            },
            {
              key: 'prizesDelivered',
              title: t('prizesDelivered'),
              align: 'right',
              render: ({ prizesDelivered }) => format.number(prizesDelivered),
            },
            ...(board.leagues === undefined
              ? []
              : [
                  {
                    key: 'moved',
                    title: t('moved'),
                    render: ({ promoted, relegated }: LeaderboardRun) => t('movedOf', { promoted, relegated }),
                  },
                ]),
            {
              key: 'closesAt',
              title: t('closes'),
              render: ({ closedAt, closesAt = closedAt }) =>
                closesAt === undefined ? t('byHand') : format.dateTime(timestampDate(closedAt ?? closesAt), 'moment'),
              sort: ({ closedAt, closesAt = closedAt }) => Number((closedAt ?? closesAt)?.seconds ?? 0),
            },
          ]}
          rowActions={(run) => (
            <RunActions run={run} mayKeep={may(Permission.KEEP_CAMPAIGNS)} onShow={() => choose(run.id)} />
          )}
          empty={<EmptyState title={t('noRuns')} hint={t('noRunsHint')} />}
        />
        {query.hasNextPage && (
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
            style={{ alignSelf: 'center' }}
          >
            {t('moreRuns')}
          </Button>
        )}
      </Stack>
    </>
  );
}

/** The leagues of a period with their accounts and groups, the highest first. */
function LeagueTable({ run }: { readonly run: LeaderboardRun }) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{t('leagues')}</Title>
      <RowsTable
        label={t('leagues')}
        rows={run.leagues.toReversed()}
        rowKey={({ league }) => String(league)}
        columns={[
          { key: 'league', title: t('league'), render: ({ name }) => name },
          { key: 'accounts', title: t('accounts'), align: 'right', render: ({ accounts }) => format.number(accounts) },
          { key: 'groups', title: t('groups'), align: 'right', render: ({ groups }) => format.number(groups) },
        ]}
        empty={null}
      />
    </Stack>
  );
}

function RunState({ run: { status, cancelReason } }: { readonly run: LeaderboardRun }) {
  return (
    <div>
      <RunStatus status={status} />
      {cancelReason !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {cancelReason}
        </Text>
      )}
    </div>
  );
}

function RunActions(props: { readonly run: LeaderboardRun; readonly mayKeep: boolean; readonly onShow: () => void }) {
  const t = useTranslations('leaderboards');
  const period = useRunName()(props.run);
  const [dialog, setDialog] = useState<'close' | 'cancel'>();
  const close = () => setDialog(undefined);
  const { id: runId, leaderboardId: id, status } = props.run;
  return (
    <>
      <RowMenu label={t('runMenu', { period })}>
        <Menu.Item leftSection={<ListOrdered size={15} />} onClick={props.onShow}>
          {t('showRanks')}
        </Menu.Item>
        {props.mayKeep && status === Status.OPEN && (
          <>
            <Menu.Item leftSection={<Flag size={15} />} onClick={() => setDialog('close')}>
              {t('closeRun')}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<Ban size={15} />} onClick={() => setDialog('cancel')}>
              {t('cancelRun')}
            </Menu.Item>
          </>
        )}
      </RowMenu>
      {dialog === 'close' && <CloseRun run={props.run} onClose={close} />}
      {dialog === 'cancel' && (
        <ReasonDialog
          method={LeaderboardAdminService.method.cancelLeaderboardRun}
          input={{ id, runId }}
          title={t('cancelRunTitle', { period })}
          hint={t('cancelRunHint')}
          submit={t('cancelRun')}
          done={t('runCancelled', { period })}
          destructive
          onClose={close}
        />
      )}
    </>
  );
}
