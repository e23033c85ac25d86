import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountLeaderboardRunsRequest,
  ListAccountLeaderboardRunsResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { toEarnedRewardMessage } from '../../rewards/delivery/earned-reward-message.ts';
import { earnedRewardsOfAccount } from '../../rewards/delivery/earned-rewards.queries.ts';
import { publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { entriesByRun } from '../entries/entries.queries.ts';
import { toEntryMessage } from '../entries/entry-message.ts';
import { placesInRuns } from '../leagues/place-message.ts';
import { ranksOf } from '../ranks/ranks.queries.ts';
import { periodsByCode } from '../runs/find-runs.ts';
import { toRunMessage } from '../runs/run-message.ts';
import { runPage } from './list-leaderboard-runs.ts';

/** Lists the runs of a leaderboard with an account's results: proto LeaderboardService.ListAccountLeaderboardRuns. */
export function listAccountLeaderboardRuns(
  { db, principal }: Call,
  request: ListAccountLeaderboardRunsRequest,
): Promise<MessageInitShape<typeof ListAccountLeaderboardRunsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, request);
    const board = await publishedLeaderboard(uow, request.id);
    const { runs, nextCursor } = await runPage(uow, board, request);
    if (account === undefined) return { rows: [] };
    const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
    const entries = await entriesByRun(uow, account.id, runs);
    const places = board.leagues ? await placesInRuns(uow, account.id, board.leagues, runs) : undefined;
    const prizes = await earnedRewardsOfAccount(uow, account.id);
    const rows = [];
    for (const run of runs) {
      const entry = entries.get(run.id);
      const own = prizes.filter(({ leaderboardRunId }) => leaderboardRunId === run.id);
      if (entry === undefined && own.length === 0) continue;
      const [rank] = entry === undefined ? [] : await ranksOf(uow, run.id, [entry.score]);
      rows.push({
        run: toRunMessage(run, unit),
        entry: entry && toEntryMessage(board, { ...entry, rank: rank! }, account, account.id),
        prizes: own.map((reward) => toEarnedRewardMessage(reward, isPerson(principal))),
        place: places?.get(run.id),
      });
    }
    return { rows, nextCursor };
  });
}
