import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetLeaderboardRanksRequest,
  GetLeaderboardRanksResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { type AccountKey, checkedExternalId, keysOf } from '../../accounts/resolving/account-ref.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { parseId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import { publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { listedEntriesOf } from '../entries/entries.queries.ts';
import { entryMessages } from '../entries/entry-message.ts';
import { ranksOf } from '../ranks/ranks.queries.ts';
import { currentRuns } from '../runs/find-runs.ts';
import { toRunMessage } from '../runs/run-message.ts';

function keyOf(sent: string, idType: Account_IdType): AccountKey {
  if (idType === Account_IdType.EXTERNAL) return { externalId: checkedExternalId(sent, 'accountIds') };
  const id = parseId(sent);
  if (id !== undefined) return { id };
  throw badRequest(
    sentence`${'accountIds'} '${sent}' is not a UUID. Send the id that the service returned, or your own id with idType=EXTERNAL.`,
  );
}

/** Returns the ranks of some accounts: proto LeaderboardService.GetLeaderboardRanks. */
export function getLeaderboardRanks(
  { db, principal, now }: Call,
  { id, accountIds, idType }: GetLeaderboardRanksRequest,
): Promise<MessageInitShape<typeof GetLeaderboardRanksResponseSchema>> {
  const keys = accountIds.map((accountId) => keyOf(accountId, idType));
  return db.read(principal.clientId, async (uow) => {
    const [present] = await currentRuns(uow, [await publishedLeaderboard(uow, id)], now);
    const { board, unit, run } = present!;
    if (run === undefined) return { rows: [] };
    const wanted = keys.map(keysOf);
    const { find } = indexAccounts(
      await selectAccounts(uow, {
        ids: wanted.flatMap(({ ids }) => ids),
        externalIds: wanted.flatMap(({ externalIds }) => externalIds),
      }),
    );
    const accounts = keys.map(find);
    const entries = await listedEntriesOf(
      uow,
      run,
      accounts.flatMap((account) => account?.id ?? []),
    );
    const listed = [...entries.values()];
    const ranks = await ranksOf(
      uow,
      run.id,
      listed.map(({ score }) => score),
    );
    const ranked = listed
      .map((entry, index) => ({ ...entry, rank: ranks[index]! }))
      .toSorted((one, other) => one.rank - other.rank || one.reachedAt.getTime() - other.reachedAt.getTime());
    return { run: toRunMessage(run, unit), rows: await entryMessages(uow, board, ranked, principal) };
  });
}
