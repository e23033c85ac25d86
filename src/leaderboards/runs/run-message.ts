import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { LeaderboardRun_Status as Status, type LeaderboardRunSchema } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import { groupsOf } from '../../engine/leaderboards/leagues.ts';
import { type StatisticPeriod, statisticPeriodKey } from '../../engine/statistics/statistic-period.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type LeaderboardRunEntity, leaderboardRunTable } from './leaderboard-run.entity.ts';

/** The columns of a run that reads show. */
export const RUN = propertiesOf(leaderboardRunTable, [
  'id',
  'leaderboardId',
  'statisticId',
  'period',
  'since',
  'until',
  'closesAt',
  'status',
  'closedAt',
  'cancelReason',
  'entries',
  'prizesDelivered',
  'leagues',
  'places',
  'promoted',
  'relegated',
]);

/** The API message of a run. @param unit the periods of the statistic */
export function toRunMessage(
  run: PartOf<LeaderboardRunEntity, typeof RUN>,
  unit: StatisticPeriod,
): MessageInitShape<typeof LeaderboardRunSchema> {
  const { id, leaderboardId, prizesDelivered, promoted, relegated, leagues } = run;
  const moment = (at: Date | null | undefined) => (at ? timestampFromDate(at) : undefined);
  return {
    ...{ id, leaderboardId, prizesDelivered, promoted, relegated },
    periodKey: statisticPeriodKey(unit, run.period),
    since: moment(run.since),
    until: moment(run.until),
    status: Status[run.status],
    closesAt: moment(run.closesAt),
    closedAt: moment(run.closedAt),
    entries: run.entries ?? undefined,
    cancelReason: run.cancelReason ?? undefined,
    leagues: leagues
      ? leagues.names.map((name, index) => {
          const accounts = run.places[index] ?? 0;
          return { league: index + 1, name, accounts, groups: groupsOf(leagues, accounts) };
        })
      : [],
  };
}
