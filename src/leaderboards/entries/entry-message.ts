import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LeaderboardEntrySchema } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import type { Account } from '../../accounts/account.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { type BoardOrder, scoreOf } from '../../engine/leaderboards/board-plan.ts';
import type { Principal } from '../../clients/principal.ts';
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
  { account: caller }: Pick<Principal, 'account'>,
  aboutId?: string,
): Promise<Array<MessageInitShape<typeof LeaderboardEntrySchema>>> {
  const ids = [...entries.map(({ accountId }) => accountId), ...(caller === undefined ? [] : [caller.id])];
  const { find } = indexAccounts(await selectAccounts(uow, { ids, externalIds: [] }));
  // The account of a token may have been merged since.
  const ownId = caller === undefined ? aboutId : find(caller)?.id;
  return entries.flatMap((entry) => {
    const account = find({ id: entry.accountId });
    if (account === undefined) return [];
    const message = toEntryMessage(board, entry, account, ownId);
    return [caller === undefined ? message : withoutIds(message)];
  });
}

/** For account tokens: they learn no ids of other accounts, and know their own. */
function withoutIds(
  message: MessageInitShape<typeof LeaderboardEntrySchema>,
): MessageInitShape<typeof LeaderboardEntrySchema> {
  return { ...message, accountId: undefined, externalId: undefined };
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
