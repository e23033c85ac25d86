import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Anchor, Group, Menu, Stack, Switch, Text, Title } from '@mantine/core';
import { History } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import type { AccountLeaderboard } from '../../../../../gen/laurel/v1/leaderboard_pb.ts';
import { LeaderboardService } from '../../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { notifyDone } from '../../../feedback/notify.tsx';
import { useAllowed } from '../../../session/allowed.tsx';
import { RowMenu } from '../../../table/row-menu.tsx';
import { RowsTable } from '../../../table/rows-table.tsx';
import { useRunName } from '../../leaderboards/use-run-name.ts';
import { AccountResults } from './account-results.tsx';
import { useLeagueWords } from './use-league-words.ts';

/** The account's rank on each active leaderboard, and whether it is hidden there. Nothing for a client without leaderboards. */
export function AccountRanks({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const runName = useRunName();
  const [shown, show] = useState<{ readonly leaderboardId: string; readonly name: string }>();
  const query = useQuery(LeaderboardService.method.listAccountLeaderboards, { accountId });
  const { data, refetch } = query;
  const failure = failureOfQuery(query);
  const leagueWords = useLeagueWords();
  if (failure !== null) return <FailureAlert error={failure} retry={() => void refetch()} />;
  if (data === undefined || (data.rows.length === 0 && !data.hidden)) return null;
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2}>{t('leaderboards')}</Title>
        <HiddenSwitch accountId={accountId} hidden={data.hidden} />
      </Group>
      <RowsTable
        label={t('leaderboards')}
        rows={data.rows}
        rowKey={({ leaderboardId }) => leaderboardId}
        columns={[
          {
            key: 'leaderboard',
            title: t('leaderboard'),
            render: ({ leaderboardId, name }) => (
              <Anchor component={Link} to={`/leaderboards/${leaderboardId}`} inherit>
                {name}
              </Anchor>
            ),
            sort: ({ name }) => name,
          },
          { key: 'period', title: t('period'), render: ({ run }) => (run === undefined ? '–' : runName(run)) },
          {
            key: 'rank',
            title: t('rank'),
            align: 'right',
            render: ({ entry }) =>
              entry === undefined ? <Text c="dimmed">{t('noRank')}</Text> : format.number(entry.rank),
            sort: ({ entry }) => entry?.rank,
          },
          ...(data.rows.every(({ place }) => place === undefined)
            ? []
            : [
                {
                  key: 'league',
                  title: t('league'),
                  render: ({ place }: AccountLeaderboard) => (place === undefined ? '–' : leagueWords(place)),
                },
              ]),
          {
            key: 'value',
            title: t('statisticValue'),
            align: 'right',
            render: ({ entry }) => (entry === undefined ? '–' : format.number(entry.value, 'amount')),
            sort: ({ entry }) => entry?.value,
          },
        ]}
        rowActions={({ leaderboardId, name }) => (
          <RowMenu label={t('boardMenu', { name })}>
            <Menu.Item leftSection={<History size={15} />} onClick={() => show({ leaderboardId, name })}>
              {t('results')}
            </Menu.Item>
          </RowMenu>
        )}
        empty={null}
      />
      {shown && <AccountResults accountId={accountId} {...shown} onClose={() => show(undefined)} />}
    </Stack>
  );
}

/** Hides the account from leaderboards, or shows it again; without the permission it only says which. */
function HiddenSwitch({ accountId, hidden }: { readonly accountId: string; readonly hidden: boolean }) {
  const t = useTranslations('accounts');
  const may = useAllowed();
  const change = useMutation(LeaderboardService.method.setAccountVisibility);
  return (
    <Switch
      label={t('hidden')}
      checked={change.isPending ? change.variables?.hidden === true : hidden}
      disabled={!may(Permission.ACT_FOR_ACCOUNTS)}
      onChange={({ currentTarget }) =>
        change.mutate(
          { accountId, hidden: currentTarget.checked },
          { onSuccess: (answer) => notifyDone(t(answer.hidden ? 'hiddenDone' : 'shownDone')) },
        )
      }
    />
  );
}
