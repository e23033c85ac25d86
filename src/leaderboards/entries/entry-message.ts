import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LeaderboardEntrySchema } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import type { Account } from '../../accounts/account.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { type BoardOrder, scoreOf } from '../../engine/leaderboards/board-plan.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { RankedEntry } from '../ranks/ranked-entries.ts';

/** The parts of a leaderboard that its entries show. */
type Shown = { readonly rankOrder: BoardOrder; readonly displayNameAttribute: string | null };

/** The API messages of entries, by {@link RankedEntry}. An account that was deleted has none: it leaves a gap in a final run. */
export async function entryMessages(
  uow: UnitOfWork,
  board: Shown,
  entries: readonly RankedEntry[],
  ownId?: string,
): Promise<Array<MessageInitShape<typeof LeaderboardEntrySchema>>> {
  const ids = entries.map(({ accountId }) => accountId);
  const { find } = indexAccounts(await selectAccounts(uow, { ids, externalIds: [] }));
  return entries.flatMap((entry) => {
    const account = find({ id: entry.accountId });
    return account === undefined ? [] : [toEntryMessage(board, entry, account, ownId)];
  });
}

/** The API message of an entry. @param ownId the account that the call is about */
export function toEntryMessage(
  { rankOrder, displayNameAttribute }: Shown,
  { rank, score, reachedAt }: RankedEntry,
  { id, externalId, attributes }: Account,
  ownId: string | undefined,
): MessageInitShape<typeof LeaderboardEntrySchema> {
  const displayName = displayNameAttribute === null ? undefined : attributes?.[displayNameAttribute];
  return {
    rank,
    value: amountToNumber(scoreOf(rankOrder, score)),
    reachedAt: timestampFromDate(reachedAt),
    displayName: typeof displayName === 'string' ? displayName : undefined,
    accountId: id,
    externalId,
    own: id === ownId ? true : undefined,
  };
}
