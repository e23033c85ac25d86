import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListLeaderboardRunsRequest,
  ListLeaderboardRunsResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { type FoundRun, periodsByCode, runsOf } from '../runs/find-runs.ts';
import { toRunMessage } from '../runs/run-message.ts';

/** The default number of runs of a page. */
const LIMIT = 50;

/** Lists the runs of a leaderboard, the latest first: proto LeaderboardService.ListLeaderboardRuns. */
export function listLeaderboardRuns(
  { db, principal }: Call,
  request: ListLeaderboardRunsRequest,
): Promise<MessageInitShape<typeof ListLeaderboardRunsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const board = await publishedLeaderboard(uow, request.id);
    const { runs, nextCursor } = await runPage(uow, board, request);
    const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
    return { rows: runs.map((run) => toRunMessage(run, unit)), nextCursor };
  });
}

/** One page of runs. @throws DomainError `BAD_REQUEST` for a cursor of another list */
export async function runPage(
  uow: UnitOfWork,
  { id }: DefinedLeaderboard,
  { limit = LIMIT, cursor }: Pick<ListLeaderboardRunsRequest, 'limit' | 'cursor'>,
): Promise<{ readonly runs: readonly FoundRun[]; readonly nextCursor: string | undefined }> {
  if (cursor && !/^-?\d{1,9}$/.test(cursor))
    throw badRequest('`cursor` is not a `nextCursor` of this list. Leave it out for the first page.');
  const before = cursor ? Number(cursor) : undefined;
  // One run more than requested shows whether a next page exists.
  const found = await runsOf(uow, id, { limit: limit + 1, before });
  const runs = found.slice(0, limit);
  return { runs, nextCursor: found.length > limit ? `${runs.at(-1)!.period}` : undefined };
}
