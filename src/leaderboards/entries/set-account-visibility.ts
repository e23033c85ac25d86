import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  SetAccountVisibilityRequest,
  SetAccountVisibilityResponseSchema,
} from '../../../gen/laurel/v1/leaderboard_service_pb.ts';
import { requireAccount } from '../../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { aggregationsById, rankAgain } from './rank-accounts.ts';
import { setHidden } from './hidden-accounts.queries.ts';

/** Hides an account from leaderboards, or shows it again: proto LeaderboardService.SetAccountVisibility. */
export function setAccountVisibility(
  { db, principal, now }: Call,
  { accountId, idType, hidden = false }: SetAccountVisibilityRequest,
): Promise<MessageInitShape<typeof SetAccountVisibilityResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    const isChanged = await setHidden(uow, account.id, hidden, now);
    if (isChanged) await rankAgain(uow, [account.id], await aggregationsById(uow), now);
    return { hidden };
  });
}
