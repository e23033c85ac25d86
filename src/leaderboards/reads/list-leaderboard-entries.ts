import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListLeaderboardEntriesRequest,
  ListLeaderboardEntriesResponseSchema,
  ListLeaderboardRunEntriesRequest,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { entryMessages } from '../entries/entry-message.ts';
import { rankedPage } from '../ranks/ranked-entries.ts';
import { countEntries } from '../ranks/ranks.queries.ts';
import { currentRuns, requireRun } from '../runs/find-runs.ts';

/** The last place of a page: a page is found by counting from the first place, which takes a millisecond for so many. */
const PLACE_MAX = 10_000;

/** One page of entries: both messages have these fields. */
type EntryPage = Pick<
  MessageInitShape<typeof ListLeaderboardEntriesResponseSchema>,
  'rows' | 'next' | 'previous' | 'page' | 'perPage' | 'totalPages' | 'totalRows'
>;

/** Lists the entries of the current run by page: proto LeaderboardService.ListLeaderboardEntries. */
export function listLeaderboardEntries(
  { db, principal, now }: Call,
  request: ListLeaderboardEntriesRequest,
): Promise<EntryPage> {
  return db.read(principal.clientId, async (uow) => {
    const [present] = await currentRuns(uow, [await publishedLeaderboard(uow, request.id)], now);
    return entryPage(uow, present!.board, present!.run?.id, request);
  });
}

/** Lists the entries of one run by page: proto LeaderboardService.ListLeaderboardRunEntries. */
export function listLeaderboardRunEntries(
  { db, principal }: Call,
  request: ListLeaderboardRunEntriesRequest,
): Promise<EntryPage> {
  return db.read(principal.clientId, async (uow) => {
    const board = await publishedLeaderboard(uow, request.id);
    const run = await requireRun(uow, board.id, request.runId);
    return entryPage(uow, board, run.id, request);
  });
}

async function entryPage(
  uow: UnitOfWork,
  board: DefinedLeaderboard,
  runId: string | undefined,
  { page = 1, limit = 1 }: Pick<ListLeaderboardEntriesRequest, 'page' | 'limit'>,
): Promise<EntryPage> {
  if (page * limit > PLACE_MAX)
    throw badRequest(
      sentence`\`page\` times \`limit\` must be at most ${PLACE_MAX}. GET /v1/accounts/{accountId}/leaderboards/{id} has the entries around an account.`,
    );
  const offset = (page - 1) * limit;
  const [totalRows, entries] =
    runId === undefined
      ? [0, []]
      : await Promise.all([countEntries(uow, runId), rankedPage(uow, runId, { offset, limit })]);
  return {
    rows: await entryMessages(uow, board, entries),
    next: offset + limit < totalRows,
    previous: page > 1,
    page,
    perPage: limit,
    totalPages: Math.ceil(totalRows / limit),
    totalRows,
  };
}
