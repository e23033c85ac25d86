import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetLeaderboardRequest,
  GetLeaderboardResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toLeaderboardMessage } from '../definitions/leaderboard-message.ts';
import { publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { entryMessages } from '../entries/entry-message.ts';
import { rankedPage } from '../ranks/ranked-entries.ts';
import { currentRuns } from '../runs/find-runs.ts';
import { toRunMessage } from '../runs/run-message.ts';

/** Returns a leaderboard with its current run and its first entries: proto LeaderboardService.GetLeaderboard. */
export function getLeaderboard(
  { db, principal, now }: Call,
  { id }: GetLeaderboardRequest,
): Promise<MessageInitShape<typeof GetLeaderboardResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const [present] = await currentRuns(uow, [await publishedLeaderboard(uow, id)], now);
    const { board, unit, run } = present!;
    const entries = run === undefined ? [] : await rankedPage(uow, run.id, { offset: 0, limit: board.entriesShown });
    return {
      leaderboard: toLeaderboardMessage(board, unit),
      run: run && toRunMessage(run, unit),
      rows: await entryMessages(uow, board, entries, principal),
    };
  });
}
