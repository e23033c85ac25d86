import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAccountLeaderboardRequest,
  GetAccountLeaderboardResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { listedEntriesOf } from '../entries/entries.queries.ts';
import { entryMessages } from '../entries/entry-message.ts';
import { isHidden } from '../entries/hidden-accounts.queries.ts';
import { presentPlaces } from '../leagues/place-message.ts';
import { rankedAround } from '../ranks/ranked-entries.ts';
import { countEntries } from '../ranks/ranks.queries.ts';
import { currentRuns } from '../runs/find-runs.ts';
import { toRunMessage } from '../runs/run-message.ts';

/** The default number of entries before and after the account. */
const AROUND = 5;

/** Returns the rank of an account and the entries around it: proto LeaderboardService.GetAccountLeaderboard. */
export function getAccountLeaderboard(
  { db, principal, now }: Call,
  { accountId, idType, id, around = AROUND }: GetAccountLeaderboardRequest,
): Promise<MessageInitShape<typeof GetAccountLeaderboardResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    const [present] = await currentRuns(uow, [await publishedLeaderboard(uow, id)], now);
    const { board, unit, run } = present!;
    const hidden = account !== undefined && (await isHidden(uow, account.id));
    const place = account && (await presentPlaces(uow, account.id, [present!])).get(board.id);
    if (run === undefined) return { rows: [], entries: 0, hidden, place };
    const entries = await countEntries(uow, run.id);
    const about = { run: toRunMessage(run, unit), entries, hidden, place };
    const own = account && (await listedEntriesOf(uow, run, [account.id])).get(account.id);
    if (account === undefined || own === undefined) return { ...about, rows: [] };
    const { entry, rows } = await rankedAround(uow, run.id, own, around);
    const [message] = await entryMessages(uow, board, [entry], principal, account.id);
    return { ...about, entry: message, rows: await entryMessages(uow, board, rows, principal, account.id) };
  });
}
