import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Alert, Card, Code, Group, Stack } from '@mantine/core';
import { Hourglass } from 'lucide-react';
import { useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import {
  LeaderboardAdminService,
  type LeaderboardDefinition,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import {
  Leaderboard_Order,
  Leaderboard_Status,
  type LeaderboardLeagues,
  type LeaderboardPrize,
  LeaderboardPrize_Ties,
} from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { LeaderboardActions } from './leaderboard-actions.tsx';
import { LeaderboardRuns } from './leaderboard-runs.tsx';
import { LeaderboardStatus } from './leaderboard-status.tsx';

/** Milliseconds between two looks at a leaderboard whose values are being filled in. */
const FILLING_MS = 3_000;

/** One leaderboard: its rules and prizes, its ranks and its periods. */
export function LeaderboardPage() {
  const t = useTranslations('leaderboards');
  const { id = '' } = useParams();
  const query = useQuery(
    LeaderboardAdminService.method.getLeaderboardDefinition,
    { id },
    { refetchInterval: ({ state }) => (state.data?.leaderboard?.filling === true ? FILLING_MS : false) },
  );
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/leaderboards', label: t('title') };
  if (error !== null) return <PageFailure title={t('title')} back={back} error={error} retry={() => void refetch()} />;
  const board = data?.leaderboard;
  if (board === undefined) return <PageSkeleton />;
  return (
    <Page
      title={
        <Group gap="sm" component="span">
          {board.name}
          <LeaderboardStatus status={board.status} />
        </Group>
      }
      tabTitle={board.name}
      description={board.description === '' ? undefined : board.description}
      id={id}
      back={back}
      actions={
        <Allowed to={Permission.KEEP_CAMPAIGNS}>
          <LeaderboardActions board={board} />
        </Allowed>
      }
    >
      {board.filling && (
        <Alert color="blue" icon={<Hourglass size={18} />}>
          {t('filling')}
        </Alert>
      )}
      <Card component="section">
        <LeaderboardFacts board={board} />
      </Card>
      {board.status === Leaderboard_Status.DRAFT ? (
        <Card p={0}>
          <EmptyState title={t('noRanks')} hint={t('noRanksHint')} />
        </Card>
      ) : (
        <LeaderboardRuns board={board} />
      )}
    </Page>
  );
}

function LeaderboardFacts({ board }: { readonly board: LeaderboardDefinition }) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  const prizeWords = usePrizeWords(board.leagues);
  const moment = (time: Timestamp | undefined) => time && format.dateTime(timestampDate(time), 'moment');
  const leagueFacts = ({ names, groupSize, promoted, relegated }: LeaderboardLeagues) => [
    [t('leagues'), names.join(' · ')] as const,
    [t('groups'), t('groupRules', { size: groupSize, promoted, relegated })] as const,
  ];
  return (
    <Facts
      facts={[
        [t('statistic'), <Code key="statistic">{board.statisticCode}</Code>],
        [t('order'), t(`orders.${enumName(Leaderboard_Order, board.order)}`)],
        [
          t('audiences'),
          board.audienceIds.length === 0 ? (
            t('everyone')
          ) : (
            <Names key="audiences" kind="audience" ids={board.audienceIds} />
          ),
        ],
        [t('entriesShown'), format.number(board.entriesShown)],
        [t('displayName'), board.displayNameAttribute],
        [t('lateHours'), format.number(board.lateHours)],
        ...(board.leagues === undefined ? [] : leagueFacts(board.leagues)),
        ...board.prizes.map(
          (prize, index) =>
            [
              t('prizeOf', { number: String(index + 1), ranks: prizeWords(prize) }),
              <Names key={index} kind="reward" ids={prize.rewardIds} />,
            ] as const,
        ),
        [t('activatedAt'), moment(board.activatedAt)],
        ...(board.endedAt === undefined ? [] : [[t('endedAt'), moment(board.endedAt)] as const]),
        [t('version'), format.number(board.version)],
      ]}
    />
  );
}

/** Writes the ranks of a prize. */
function usePrizeWords(leagues: LeaderboardLeagues | undefined): (prize: LeaderboardPrize) => string {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  return ({ firstRank = 1, lastRank, topShare, ties, league }) => {
    const first = format.number(firstRank);
    const share = format.number(topShare ?? 0, { style: 'percent', maximumFractionDigits: 4 });
    const last = lastRank === undefined ? t('toShare', { share }) : format.number(lastRank);
    const ranks = lastRank === firstRank ? t('oneRank', { rank: first }) : t('ranks', { first, last });
    const words = ties === LeaderboardPrize_Ties.FIRST ? t('exactly', { ranks }) : ranks;
    const name = league === undefined ? undefined : leagues?.names[league - 1];
    return name === undefined ? words : t('inLeague', { ranks: words, league: name });
  };
}

/** Names of things with pages, one a line. */
export function Names({ kind, ids }: { readonly kind: 'audience' | 'reward'; readonly ids: readonly string[] }) {
  return (
    <Stack gap={2} component="span">
      {ids.map((id) => (
        <span key={id}>
          <NameLink kind={kind} id={id} />
        </span>
      ))}
    </Stack>
  );
}
