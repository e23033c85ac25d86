import { skipToken, useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { LeaderboardAdminService } from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { LeaderboardRun } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { LeaderboardService } from '../../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { pageSizes } from '../../table/table-state.ts';

/** The first page of the ranks of a period. */
export const FIRST_PAGE = { page: 1, limit: pageSizes[0] } as const;

/**
 * Whether the ranks and the values of a period have been answered once: until then nothing is shown that these would push down. The parts of
 * the page ask for the same, so nothing is asked twice. A change of the period hides nothing.
 */
export function useAnswered(run: LeaderboardRun | undefined): boolean {
  const key = run && { id: run.leaderboardId, runId: run.id };
  const options = { placeholderData: keepPreviousData };
  const ranks = useQuery(
    LeaderboardService.method.listLeaderboardRunEntries,
    key === undefined ? skipToken : { ...key, ...FIRST_PAGE },
    options,
  );
  const values = useQuery(LeaderboardAdminService.method.getLeaderboardDistribution, key ?? skipToken, options);
  return !ranks.isPending && !values.isPending;
}
