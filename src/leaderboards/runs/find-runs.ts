import { clientZones } from '../../clients/client-zones.ts';
import { type StatisticPeriod, statisticPeriodAt } from '../../engine/statistics/statistic-period.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { statisticDefinitions } from '../../statistics/definitions/statistic-definitions.queries.ts';
import type { DefinedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { RUN } from './run-message.ts';

/** A run as it is read. */
export type FoundRun = RowOf<typeof RUN>;

/** A leaderboard with the periods of its statistic, and the run of the current period; undefined before its first event. */
export type PresentBoard = {
  readonly board: DefinedLeaderboard;
  readonly unit: StatisticPeriod;
  readonly run: FoundRun | undefined;
};

/** The current runs of leaderboards, in their order. */
export async function currentRuns(
  uow: UnitOfWork,
  boards: readonly DefinedLeaderboard[],
  now: Date,
): Promise<PresentBoard[]> {
  const units = await periodsByCode(uow);
  const calendar = await clientZones(uow);
  const present = boards.map((board) => {
    const unit = units.get(board.statisticCode) ?? 'ALL_TIME';
    return { board, unit, period: statisticPeriodAt(unit, calendar, now.getTime()).period };
  });
  const rows = await uow.query<FoundRun>(
    `select r.* from unnest($2::uuid[], $3::int[]) as wanted(leaderboard_id, period)
      cross join ${lookUpByKey({
        select: RUN,
        from: 'leaderboard_run',
        key: { leaderboard_id: 'wanted.leaderboard_id', period: 'wanted.period' },
      })} r`,
    [uow.clientId, present.map(({ board }) => board.id), present.map(({ period }) => period)],
  );
  const runs = new Map(rows.map((run) => [run.leaderboardId, run]));
  return present.map(({ board, unit }) => ({ board, unit, run: runs.get(board.id) }));
}

/** The periods of the client's statistics, by code. */
export async function periodsByCode(uow: UnitOfWork): Promise<ReadonlyMap<string, StatisticPeriod>> {
  return new Map((await statisticDefinitions(uow)).map(({ code, period }) => [code, period]));
}

/** The runs of a leaderboard, the latest period first. @param before the period of the last run that the caller has */
export function runsOf(
  uow: UnitOfWork,
  leaderboardId: string,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<FoundRun[]> {
  return uow.query<FoundRun>(
    `select ${RUN} from leaderboard_run where client_id = $1 and leaderboard_id = $2 and period < $3
      order by client_id desc, leaderboard_id desc, period desc limit $4`,
    [uow.clientId, leaderboardId, before ?? 2_147_483_647, limit],
  );
}

/**
 * One run of a leaderboard.
 * @param lock `for update` if its ranks become final
 * @throws DomainError `LEADERBOARD_RUN_NOT_FOUND`
 */
export async function requireRun(
  uow: UnitOfWork,
  leaderboardId: string,
  runId: string,
  lock: '' | 'for update' = '',
): Promise<FoundRun> {
  const [run] = await uow.query<FoundRun>(
    `select ${RUN} from leaderboard_run where client_id = $1 and id = $2 and leaderboard_id = $3 ${lock}`,
    [uow.clientId, runId.toLowerCase(), leaderboardId],
  );
  if (run !== undefined) return run;
  throw new DomainError('LEADERBOARD_RUN_NOT_FOUND', sentence`The leaderboard has no run ${runId}.`);
}
