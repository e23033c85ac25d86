import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { LeaderboardDefinition } from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import {
  type LeaderboardEntry,
  type LeaderboardRun,
  LeaderboardRun_Status,
} from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { LeaderboardService } from '../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { RowsTable } from '../../table/rows-table.tsx';
import { type ChosenGroup, GroupChoice } from './group-choice.tsx';
import { useRunName } from './use-run-name.ts';

/** The best entries that are shown. */
const SHOWN = 20;

/** The most accounts of a group. */
const GROUP_SHOWN = 1_000;

/** Milliseconds between two refreshes of ranks that events move. */
const REFRESH_MS = 5_000;

/** The best accounts of a period. */
export function LeaderboardEntries(props: { readonly board: LeaderboardDefinition; readonly run: LeaderboardRun }) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  const { board, run } = props;
  const period = useRunName()(run);
  const [group, choose] = useState<ChosenGroup>();
  const query = useQuery(
    LeaderboardService.method.listLeaderboardRunEntries,
    { id: board.id, runId: run.id, page: 1, limit: group === undefined ? SHOWN : GROUP_SHOWN, ...group },
    {
      placeholderData: keepPreviousData,
      refetchInterval: run.status === LeaderboardRun_Status.OPEN ? REFRESH_MS : false,
    },
  );
  const { data } = query;
  const failure = failureOfQuery(query);
  const title = t('ranksOf', { period });
  return (
    <Stack gap="sm" component="section">
      <div>
        <Title order={2}>{title}</Title>
        {group === undefined && data && data.totalRows > SHOWN && (
          <Text size="sm" c="dimmed">
            {t('firstOf', { shown: SHOWN, count: data.totalRows })}
          </Text>
        )}
      </div>
      {run.leagues.length > 0 && <GroupChoice run={run} chosen={group} choose={choose} />}
      {failure !== null ? (
        <FailureAlert error={failure} retry={() => void query.refetch()} />
      ) : (
        <RowsTable
          label={title}
          rows={data?.rows}
          rowKey={({ accountId = '' }) => accountId}
          columns={[
            { key: 'rank', title: t('rank'), width: 90, render: ({ rank }) => format.number(rank) },
            ...(board.displayNameAttribute === undefined
              ? []
              : [{ key: 'displayName', title: t('shownName'), render: nameOf } as const]),
            { key: 'account', render: (entry) => <AccountLink entry={entry} />, sort: accountOf },
            {
              key: 'value',
              title: t('value'),
              align: 'right',
              render: ({ value }) => format.number(value, 'amount'),
            },
            {
              key: 'reachedAt',
              title: t('reachedAt'),
              wideOnly: true,
              render: ({ reachedAt }) => reachedAt && format.dateTime(timestampDate(reachedAt), 'moment'),
              sort: ({ reachedAt }) => Number(reachedAt?.seconds ?? 0),
            },
          ]}
          empty={<EmptyState hint={t('noEntries')} />}
        />
      )}
    </Stack>
  );
}

/** The account of an entry, by the id that the client's platform knows. */
export function AccountLink({ entry }: { readonly entry: LeaderboardEntry }) {
  return (
    <Anchor component={Link} to={`/accounts/${entry.accountId ?? ''}`} inherit>
      {accountOf(entry)}
    </Anchor>
  );
}

function accountOf({ externalId, accountId = '' }: LeaderboardEntry): string {
  return externalId ?? accountId;
}

function nameOf({ displayName }: LeaderboardEntry): string {
  return displayName ?? '–';
}
