import { useQuery } from '@connectrpc/connect-query';
import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { LeaderboardDefinition } from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { LeaderboardService } from '../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { RankTable } from './rank-table.tsx';

/** The entries that are shown before an account's, and after it. */
const AROUND = 5;

/** The rank of one account in the current period, with its neighbours. */
export function RankAround(props: {
  readonly label: string;
  readonly board: LeaderboardDefinition;
  readonly accountId: string;
  /** Milliseconds between two refreshes, while events move the ranks. */
  readonly refreshMs: number;
}) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  const { board, accountId } = props;
  const query = useQuery(
    LeaderboardService.method.getAccountLeaderboard,
    { id: board.id, accountId, around: AROUND },
    { refetchInterval: props.refreshMs },
  );
  const { data } = query;
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  return (
    <>
      {data?.entry && (
        <Text fw={550} role="status">
          {t('rankOfAccount', {
            account: data.entry.externalId ?? accountId,
            rank: format.number(data.entry.rank),
            entries: data.entries,
          })}
        </Text>
      )}
      <RankTable
        label={props.label}
        board={board}
        entries={data?.rows}
        empty={<EmptyState title={t('noRank')} hint={t(data?.hidden ? 'noRankHidden' : 'noRankHint')} />}
      />
    </>
  );
}
