import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Stack, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { LeaderboardDefinition } from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { type LeaderboardRun, LeaderboardRun_Status } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { LeaderboardService } from '../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { AccountSelect } from '../../form/account-select.tsx';
import { TablePages } from '../../table/table-pages.tsx';
import { type ChosenGroup, GroupChoice } from './group-choice.tsx';
import { RankAround } from './rank-around.tsx';
import { RankTable } from './rank-table.tsx';
import { FIRST_PAGE } from './use-answered.ts';
import { useRunName } from './use-run-name.ts';

/** The last place that the service lists. */
const LAST_PLACE = 10_000;

/** Milliseconds between two refreshes of ranks that events move. */
const REFRESH_MS = 5_000;

/** The ranks of a period by page, and those around one account. */
export function LeaderboardEntries(props: { readonly board: LeaderboardDefinition; readonly run: LeaderboardRun }) {
  const t = useTranslations('leaderboards');
  const { board, run } = props;
  const title = t('ranksOf', { period: useRunName()(run) });
  const [group, chooseGroup] = useState<ChosenGroup>();
  const [accountId, seek] = useState('');
  const isOpen = run.status === LeaderboardRun_Status.OPEN;
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{title}</Title>
      <Group align="end" gap="sm">
        {run.leagues.length > 0 && accountId === '' && <GroupChoice run={run} chosen={group} choose={chooseGroup} />}
        {/* The service finds an account in the current period only. */}
        {isOpen && <AccountSelect label={t('findAccount')} value={accountId} onChange={seek} />}
        {accountId !== '' && (
          <Button variant="default" onClick={() => seek('')}>
            {t('allRanks')}
          </Button>
        )}
      </Group>
      {accountId === '' ? (
        <Ranks key={`${group?.league} ${group?.group}`} title={title} group={group} {...props} />
      ) : (
        <RankAround label={title} board={board} accountId={accountId} refreshMs={REFRESH_MS} />
      )}
    </Stack>
  );
}

function Ranks(props: {
  readonly title: string;
  readonly board: LeaderboardDefinition;
  readonly run: LeaderboardRun;
  readonly group: ChosenGroup | undefined;
}) {
  const t = useTranslations('leaderboards');
  const { board, run, group } = props;
  const [{ page, limit }, turn] = useState<{ page: number; limit: number }>(FIRST_PAGE);
  const query = useQuery(
    LeaderboardService.method.listLeaderboardRunEntries,
    { id: board.id, runId: run.id, page, limit, ...group },
    {
      placeholderData: keepPreviousData,
      refetchInterval: run.status === LeaderboardRun_Status.OPEN ? REFRESH_MS : false,
    },
  );
  const { data } = query;
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  return (
    <RankTable
      label={props.title}
      board={board}
      entries={data?.rows}
      empty={<EmptyState hint={t('noEntries')} />}
      isWhole={data !== undefined && data.totalPages <= 1}
      footer={
        <TablePages
          state={{ page, limit, values: {}, order: '' }}
          totalRows={data?.totalRows}
          totalPages={data && Math.min(data.totalPages, LAST_PLACE / limit)}
          onChange={(changes) => turn((former) => ({ ...former, page: 1, ...changes }))}
        />
      }
    />
  );
}
