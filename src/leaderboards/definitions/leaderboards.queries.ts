import { LockMode } from '@mikro-orm/core';
import type { BoardPlan } from '../../engine/leaderboards/board-plan.ts';
import type { ReadStatistic } from '../../engine/statistics/statistic-values.ts';
import { statisticName } from '../../engine/statistics/statistic-variables.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import { MINUTE } from '../../kernel/time/timestamp.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { LEADERBOARD } from './leaderboard-message.ts';
import { type LeaderboardEntity, leaderboardTable } from './leaderboard.entity.ts';

/** A leaderboard as it is read. */
export type DefinedLeaderboard = RowOf<typeof LEADERBOARD>;

/** The active leaderboards of the client, by name. */
export function activeLeaderboards(uow: UnitOfWork): Promise<DefinedLeaderboard[]> {
  return uow.query<DefinedLeaderboard>(
    `select ${LEADERBOARD} from leaderboard where client_id = $1 and status = 'ACTIVE' order by name, id`,
    [uow.clientId],
  );
}

/** The rules of leaderboards whose statistics are known. @param statistics by code */
export function boardPlans(
  boards: readonly DefinedLeaderboard[],
  statistics: ReadonlyMap<string, ReadStatistic>,
): BoardPlan[] {
  return boards.flatMap(({ id, statisticCode, rankOrder: order, audienceIds, lateHours, activatedAt, leagues }) => {
    const statistic = statistics.get(statisticCode);
    if (statistic === undefined || activatedAt === null) return [];
    const lateMs = lateHours * 60 * MINUTE;
    return [{ ...{ id, statistic, order, audienceIds, lateMs, leagues }, activatedAt: activatedAt.getTime() }];
  });
}

/** Lets a job rank the accounts of active leaderboards again, after values of their statistic have come without events. */
export async function fillAgain(uow: UnitOfWork, statisticCode: string, now: Date): Promise<void> {
  await uow.query(
    `update leaderboard set fill_pass = 1, fill_after = null, fill_due_at = $3
      where client_id = $1 and statistic_code = $2 and status = 'ACTIVE'`,
    [uow.clientId, statisticCode, now],
  );
}

/** The number of the client's leaderboards in any state. */
export async function countLeaderboards(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ count: number }>(
    'select count(*)::int as count from leaderboard where client_id = $1',
    [uow.clientId],
  );
  return row!.count;
}

/** The leaderboards over statistics that are named as in expressions, in words. */
export function leaderboardsOfStatistics(uow: UnitOfWork, names: readonly string[]): Promise<Uses> {
  return usesWhere(uow, `'${statisticName('')}' || statistic_code = any($2::text[])`, names);
}

/** The leaderboards with a prize that gives a reward, in words. */
export function leaderboardsWithReward(uow: UnitOfWork, rewardId: string): Promise<Uses> {
  return usesWhere(uow, `status <> 'ENDED' and prizes @> $2::jsonb`, JSON.stringify([{ rewardIds: [rewardId] }]));
}

/** The leaderboards for an audience, in words. */
export function leaderboardsOfAudience(uow: UnitOfWork, audienceId: string): Promise<Uses> {
  return usesWhere(uow, 'audience_ids @> array[$2::uuid]', audienceId);
}

async function usesWhere(uow: UnitOfWork, condition: string, value: unknown): Promise<Uses> {
  const rows = await uow.query<{ name: string }>(
    `select name from leaderboard where client_id = $1 and ${condition} order by name, id limit 100`,
    [uow.clientId, value],
  );
  return rows.map(({ name }) => sentence`leaderboard '${name}'`);
}

/**
 * One leaderboard; `forChange` locks it until the transaction ends.
 * @throws DomainError `LEADERBOARD_NOT_FOUND`
 */
export async function requireLeaderboard(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<LeaderboardEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const lock = forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const board = await uow.em.findOne(leaderboardTable, key, lock);
  if (board) return board;
  throw notFound(id);
}

/**
 * One leaderboard as apps see it: a DRAFT does not exist.
 * @throws DomainError `LEADERBOARD_NOT_FOUND`
 */
export async function publishedLeaderboard(uow: UnitOfWork, id: string): Promise<DefinedLeaderboard> {
  const [board] = await uow.query<DefinedLeaderboard>(
    `select ${LEADERBOARD} from leaderboard where client_id = $1 and id = $2 and status <> 'DRAFT'`,
    [uow.clientId, id.toLowerCase()],
  );
  if (board === undefined) throw notFound(id);
  return board;
}

function notFound(id: string): DomainError {
  return new DomainError('LEADERBOARD_NOT_FOUND', sentence`There is no leaderboard ${id}.`);
}
