import type { Amount } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { ReadStatistic } from '../statistics/statistic-values.ts';
import type { Leagues } from './leagues.ts';

/** The orders of entries. */
export const BOARD_ORDERS = ['HIGHEST_FIRST', 'LOWEST_FIRST'] as const;

/** The order of a leaderboard's entries. */
export type BoardOrder = (typeof BOARD_ORDERS)[number];

/** An active leaderboard as events move it. */
export type BoardPlan = {
  readonly id: string;
  readonly statistic: ReadStatistic;
  readonly order: BoardOrder;
  /** The audiences whose accounts are ranked; empty for everyone. */
  readonly audienceIds: readonly string[];
  /** Milliseconds after the end of a period in which late events still move its run. */
  readonly lateMs: number;
  readonly activatedAt: Timestamp;
  readonly leagues: Leagues | null;
};

/** The active leaderboards over one statistic. */
export type StatisticBoards = {
  readonly everyone: readonly BoardPlan[];
  /** The leaderboards for audiences, by each of their audiences. */
  readonly byAudience: ReadonlyMap<string, readonly BoardPlan[]>;
  /** All of them, by id. */
  readonly byId: ReadonlyMap<string, BoardPlan>;
};

/** The leaderboards by the id of their statistic. */
export function boardsByStatistic(boards: readonly BoardPlan[]): Map<string, StatisticBoards> {
  return new Map(
    [...Map.groupBy(boards, ({ statistic }) => statistic.id)].map(([statisticId, own]) => {
      const pairs = own.flatMap((board) => board.audienceIds.map((audienceId) => ({ audienceId, board })));
      const byAudience = [...Map.groupBy(pairs, ({ audienceId }) => audienceId)].map(
        ([audienceId, of]) => [audienceId, of.map(({ board }) => board)] as const,
      );
      const everyone = own.filter(({ audienceIds }) => audienceIds.length === 0);
      const byId = new Map(own.map((board) => [board.id, board]));
      return [statisticId, { everyone, byAudience: new Map(byAudience), byId }];
    }),
  );
}

/** The leaderboards on which an account is, by its audiences. */
export function boardsOf(
  { everyone, byAudience }: StatisticBoards,
  audiences: ReadonlyMap<string, unknown>,
): readonly BoardPlan[] {
  if (byAudience.size === 0) return everyone;
  const own = new Set(everyone);
  for (const id of audiences.keys()) for (const board of byAudience.get(id) ?? []) own.add(board);
  return [...own];
}

/** The score of a value: lower scores are better, whatever the order. Its own inverse. */
export function scoreOf(order: BoardOrder, value: Amount): Amount {
  return order === 'HIGHEST_FIRST' ? -value : value;
}
