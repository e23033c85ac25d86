import { useQuery } from '@connectrpc/connect-query';
import { Card, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type GetLeaderboardDistributionResponse_Share as Share,
  LeaderboardAdminService,
  type LeaderboardDefinition,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import {
  Leaderboard_Order,
  type LeaderboardRun,
  LeaderboardRun_Status,
} from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import classes from './leaderboards.module.css';

/** Milliseconds between two refreshes of values that events move. */
const REFRESH_MS = 10_000;

/** The shares of the service's answer: as many lines are drawn until it is there, so that nothing below jumps. */
const SHARES = 7;

/** The value that is needed for each share of a period's accounts. Nothing for a period without entries. */
export function LeaderboardDistribution(props: {
  readonly board: LeaderboardDefinition;
  readonly run: LeaderboardRun;
}) {
  const t = useTranslations('leaderboards');
  const { board, run } = props;
  const query = useQuery(
    LeaderboardAdminService.method.getLeaderboardDistribution,
    { id: board.id, runId: run.id },
    { refetchInterval: run.status === LeaderboardRun_Status.OPEN ? REFRESH_MS : false },
  );
  const { data } = query;
  const failure = failureOfQuery(query);
  if (data?.rows.length === 0) return null;
  // Bars are as long as their values; negative ones have none.
  const longest = Math.max(0, ...(data?.rows ?? []).map(({ value }) => value));
  return (
    <Stack gap="sm" component="section">
      <div>
        <Title order={2}>{t('distribution')}</Title>
        <Text size="sm" c="dimmed">
          {t('distributionHint')}
        </Text>
      </div>
      {failure !== null ? (
        <FailureAlert error={failure} retry={() => void query.refetch()} />
      ) : (
        <Card p={0}>
          <Table className={classes['distribution']} aria-label={t('distribution')} aria-busy={data === undefined}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('bestShare')}</Table.Th>
                <Table.Th ta="right">{t('accounts')}</Table.Th>
                <Table.Th ta="right" className={classes['value']}>
                  {t(`valueNeeded.${enumName(Leaderboard_Order, board.order)}`)}
                </Table.Th>
                <Table.Th className={classes['bars']} aria-hidden />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data === undefined
                ? Array.from({ length: SHARES }, (_, index) => <Row key={index} />)
                : data.rows.map((share) => <Row key={share.topShare} share={share} longest={longest} />)}
            </Table.Tbody>
          </Table>
        </Card>
      )}
    </Stack>
  );
}

/** One share; grey lines as high as its texts while it is on its way. @param props.longest the value of the longest bar */
function Row({ share, longest = 0 }: { readonly share?: Share; readonly longest?: number }) {
  const format = useFormatter();
  const text = (words: string | undefined) => words ?? <Skeleton>&nbsp;</Skeleton>;
  return (
    <Table.Tr>
      <Table.Th scope="row">{text(share && format.number(share.topShare, { style: 'percent' }))}</Table.Th>
      <Table.Td ta="right">{text(share && format.number(share.accounts))}</Table.Td>
      <Table.Td ta="right" className={classes['value']}>
        {text(share && format.number(share.value, 'amount'))}
      </Table.Td>
      <Table.Td className={classes['bars']} aria-hidden>
        {share && share.value > 0 && (
          <div className={classes['bar']} style={{ width: `${(100 * share.value) / longest}%` }} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
