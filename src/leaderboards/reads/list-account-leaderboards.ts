import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountLeaderboardsRequest,
  ListAccountLeaderboardsResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { activeLeaderboards } from '../definitions/leaderboards.queries.ts';
import { entriesByRun } from '../entries/entries.queries.ts';
import { toEntryMessage } from '../entries/entry-message.ts';
import { isHidden } from '../entries/hidden-accounts.queries.ts';
import { presentPlaces } from '../leagues/place-message.ts';
import { ranksOf } from '../ranks/ranks.queries.ts';
import { currentRuns } from '../runs/find-runs.ts';
import { toRunMessage } from '../runs/run-message.ts';

/** The most leaderboards of an answer. */
const ROWS_MAX = 1_000;

/** Lists the rank of an account on each active leaderboard: proto LeaderboardService.ListAccountLeaderboards. */
export function listAccountLeaderboards(
  { db, principal, now }: Call,
  { accountId, idType }: ListAccountLeaderboardsRequest,
): Promise<MessageInitShape<typeof ListAccountLeaderboardsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    const present = await currentRuns(uow, (await activeLeaderboards(uow)).slice(0, ROWS_MAX), now);
    const entries =
      account === undefined
        ? new Map<string, never>()
        : await entriesByRun(
            uow,
            account.id,
            present.flatMap(({ run }) => run ?? []),
          );
    const places = account === undefined ? undefined : await presentPlaces(uow, account.id, present);
    const rows = [];
    for (const { board, unit, run } of present) {
      const entry = run && entries.get(run.id);
      const [rank] = entry === undefined ? [] : await ranksOf(uow, run!.id, [entry.score]);
      rows.push({
        leaderboardId: board.id,
        name: board.name,
        run: run && toRunMessage(run, unit),
        entry: entry && toEntryMessage(board, { ...entry, rank: rank! }, account!, account!.id),
        place: places?.get(board.id),
      });
    }
    return { rows, hidden: account !== undefined && (await isHidden(uow, account.id)) };
  });
}
