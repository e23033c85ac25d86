import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListLeaderboardEntriesRequest,
  ListLeaderboardEntriesResponseSchema,
  ListLeaderboardRunEntriesRequest,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { GroupKey } from '../../engine/leaderboards/leagues.ts';
import type { Principal } from '../../clients/principal.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { entryMessages } from '../entries/entry-message.ts';
import { rankedGroups } from '../leagues/group-results.ts';
import { type RankedEntry, rankedPage } from '../ranks/ranked-entries.ts';
import { countEntries } from '../ranks/ranks.queries.ts';
import { currentRuns, type FoundRun, requireRun } from '../runs/find-runs.ts';

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
    return entryPage(uow, principal, present!.board, present!.run, request);
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
    return entryPage(uow, principal, board, run, request);
  });
}

async function entryPage(
  uow: UnitOfWork,
  principal: Principal,
  board: DefinedLeaderboard,
  run: FoundRun | undefined,
  { page = 1, limit = 1, league, group }: Pick<ListLeaderboardEntriesRequest, 'page' | 'limit' | 'league' | 'group'>,
): Promise<EntryPage> {
  if ((league === undefined) !== (group === undefined))
    throw badRequest(sentence`\`league\` and \`group\` name one group together: send both, or none of them.`);
  if (page * limit > PLACE_MAX)
    throw badRequest(
      sentence`\`page\` times \`limit\` must be at most ${PLACE_MAX}. GET /v1/accounts/{accountId}/leaderboards/{id} has the entries around an account.`,
    );
  const offset = (page - 1) * limit;
  const key = league === undefined || group === undefined ? undefined : { league, group };
  const [totalRows, entries] = run === undefined ? [0, []] : await pageOf(uow, run, key, { offset, limit });
  return {
    rows: await entryMessages(uow, board, entries, principal),
    next: offset + limit < totalRows,
    previous: page > 1,
    page,
    perPage: limit,
    totalPages: Math.ceil(totalRows / limit),
    totalRows,
  };
}

/** The number of all entries of a run or of one of its groups, and those of a page. */
async function pageOf(
  uow: UnitOfWork,
  run: FoundRun,
  group: GroupKey | undefined,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<[number, RankedEntry[]]> {
  if (group === undefined) return Promise.all([countEntries(uow, run.id), rankedPage(uow, run.id, { offset, limit })]);
  const [ranked] = await rankedGroups(uow, run, [group]);
  return [ranked!.entries.length, ranked!.entries.slice(offset, offset + limit)];
}
