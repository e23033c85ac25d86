import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  TimelineEntry_Kind as Kind,
  type TimelineEntrySchema,
} from '../../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { LeaderboardPlace_Outcome as Outcome } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import type { LeagueOutcome, Leagues } from '../../engine/leaderboards/leagues.ts';
import { statisticPeriodKey } from '../../engine/statistics/statistic-period.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import {
  timelineMoment,
  type TimelineSource,
  type TimelineWindow,
  windowInMs,
} from '../../persistence/subjects/timeline-source.ts';
import { periodsByCode } from '../runs/find-runs.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

type Result = {
  readonly runId: string;
  readonly settledAt: Date;
  readonly league: number;
  readonly group: number;
  readonly rank: number;
  readonly outcome: LeagueOutcome;
  readonly leaderboardId: string;
  readonly period: number;
  readonly leagues: Leagues;
  readonly name: string;
  readonly statisticCode: string;
};

/** The results of an account in leagues, for its timeline. */
export const leagueTimeline: TimelineSource<Content> = {
  kind: Kind.LEAGUE,
  async page(uow, accountId, window, limit) {
    const results = await resultsOf(uow, accountId, window, limit);
    const units = results.length === 0 ? new Map<string, never>() : await periodsByCode(uow);
    return results.map(({ runId, settledAt, leagues, period, statisticCode, leaderboardId, name, ...result }) => {
      const { league, group, rank, outcome } = result;
      const leagueName = leagues.names[league - 1] ?? '';
      const value = {
        ...{ leaderboardId, name, runId },
        periodKey: statisticPeriodKey(units.get(statisticCode) ?? 'ALL_TIME', period) ?? '',
        place: { league, leagueName, group, rank, outcome: Outcome[outcome] },
      };
      return { at: timelineMoment(settledAt), id: runId, content: { case: 'league' as const, value } };
    });
  },
};

/** The latest results of an account in leaderboards that still exist. The lead of the order leaves only one index that has it. */
function resultsOf(uow: UnitOfWork, accountId: string, window: TimelineWindow, limit: number): Promise<Result[]> {
  const { from, until } = windowInMs(window);
  const { last } = window;
  const before = last === undefined ? [until, null] : [new Date(last.at / 1_000), last.id];
  return uow.query<Result>(
    `select p.run_id as "runId", p.settled_at as "settledAt", p.league, p.group_number as "group", p.final_rank as rank, p.outcome,
            r.leaderboard_id as "leaderboardId", r.period, r.leagues, b.name, b.statistic_code as "statisticCode"
       from (select * from leaderboard_place
              where client_id = $1 and account_id = $2 and settled_at is not null and settled_at >= $3
                and (settled_at < $4 or (settled_at = $4 and run_id < $5::uuid))
              order by client_id desc, account_id desc, settled_at desc, run_id desc limit $6) p
      cross join ${lookUpByKey({
        select: 'leaderboard_id, period, leagues',
        from: 'leaderboard_run',
        key: { id: 'p.run_id' },
      })} r
      cross join ${lookUpByKey({ select: 'name, statistic_code', from: 'leaderboard', key: { id: 'r.leaderboard_id' } })} b
      order by p.settled_at desc, p.run_id desc`,
    [uow.clientId, accountId, from, ...before, limit],
  );
}
