import { useInfiniteQuery } from '@connectrpc/connect-query';
import { Button, Modal, Stack } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { type LeaderboardPlace, LeaderboardPlace_Outcome } from '../../../../../gen/laurel/v1/leaderboard_pb.ts';
import {
  type ListAccountLeaderboardRunsResponse_Result as Result,
  LeaderboardService,
} from '../../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { enumName } from '../../../api/enum-name.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { RowsTable } from '../../../table/rows-table.tsx';
import { useRewardNames } from '../../campaigns/use-names.ts';
import { RunStatus } from '../../leaderboards/leaderboard-status.tsx';
import { useRunName } from '../../leaderboards/use-run-name.ts';
import { useLeagueWords } from './use-league-words.ts';

/** The ranks of one account in all periods of a leaderboard, with its prizes. */
export function AccountResults(props: {
  readonly accountId: string;
  readonly leaderboardId: string;
  /** The name of the leaderboard. */
  readonly name: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('accounts');
  const form$ = useTranslations('form');
  const format = useFormatter();
  const runName = useRunName();
  const leagueWords = useLeagueWords();
  const query = useInfiniteQuery(
    LeaderboardService.method.listAccountLeaderboardRuns,
    { accountId: props.accountId, id: props.leaderboardId, cursor: '' },
    { pageParamKey: 'cursor', getNextPageParam: ({ nextCursor }) => nextCursor },
  );
  const failure = failureOfQuery(query);
  const results = query.data?.pages.flatMap(({ rows }) => rows);
  const rewardName = useRewardNames((results ?? []).flatMap(({ prizes }) => prizes.map(({ rewardId }) => rewardId)));
  const hasLeagues = results?.some(({ place }) => place !== undefined) === true;
  return (
    <Modal
      opened
      onClose={props.onClose}
      closeButtonProps={{ 'aria-label': form$('close') }}
      title={t('resultsOf', { name: props.name })}
      size="xl"
    >
      <Stack gap="md">
        {failure !== null ? (
          <FailureAlert error={failure} retry={() => void query.refetch()} />
        ) : (
          <RowsTable<Result>
            label={t('results')}
            rows={results}
            rowKey={({ run }) => run?.id ?? ''}
            columns={[
              { key: 'period', title: t('period'), render: ({ run }) => run && runName(run) },
              { key: 'status', render: ({ run }) => run && <RunStatus status={run.status} /> },
              { key: 'rank', title: t('rank'), align: 'right', render: rankWords },
              {
                key: 'value',
                title: t('statisticValue'),
                align: 'right',
                render: ({ entry }) => entry && format.number(entry.value, 'amount'),
              },
              ...(hasLeagues
                ? [
                    { key: 'league', title: t('league'), render: ({ place }: Result) => place && leagueWords(place) },
                    {
                      key: 'outcome',
                      title: t('outcome'),
                      render: ({ place }: Result) => place && outcomeWords(place),
                    },
                  ]
                : []),
              {
                key: 'prizes',
                title: t('prizes'),
                render: ({ prizes }) => format.list(prizes.map(({ rewardId }) => rewardName(rewardId))),
              },
            ]}
            empty={<EmptyState hint={t('noResults')} />}
          />
        )}
        {query.hasNextPage && (
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
            style={{ alignSelf: 'center' }}
          >
            {t('earlierResults')}
          </Button>
        )}
      </Stack>
    </Modal>
  );

  function rankWords({ entry, run }: Result) {
    if (entry === undefined) return undefined;
    return run?.entries === undefined
      ? format.number(entry.rank)
      : t('rankOf', { rank: entry.rank, entries: run.entries });
  }

  function outcomeWords({ outcome }: LeaderboardPlace) {
    return outcome === undefined ? undefined : t(`outcomes.${enumName(LeaderboardPlace_Outcome, outcome)}`);
  }
}
