import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetLeaderboardDistributionRequest,
  GetLeaderboardDistributionResponseSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { scoreOf } from '../../engine/leaderboards/board-plan.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import { publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { endsOfShares } from '../ranks/distribution.queries.ts';
import { requireRun } from '../runs/find-runs.ts';

/** The parts of a run that people ask for. */
const SHARES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];

/** Returns the values that are needed for shares of a run: proto LeaderboardAdminService.GetLeaderboardDistribution. */
export function getLeaderboardDistribution(
  { db, principal }: Call,
  { id, runId }: GetLeaderboardDistributionRequest,
): Promise<MessageInitShape<typeof GetLeaderboardDistributionResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const board = await publishedLeaderboard(uow, id);
    const run = await requireRun(uow, board.id, runId);
    const { entries, ends } = await endsOfShares(uow, run.id, SHARES);
    const rows = ends.map(({ share, place, score }) => {
      return { topShare: share, accounts: place, value: amountToNumber(scoreOf(board.rankOrder, score)) };
    });
    return { entries, rows };
  });
}
