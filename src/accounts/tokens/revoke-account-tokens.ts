import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  RevokeAccountTokensRequest,
  RevokeAccountTokensResponseSchema,
} from '../../../gen/laurel/v1/account_token_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { requireAccount } from '../resolving/resolve-accounts.ts';
import { revokeTokens } from './tokens-valid-from.queries.ts';

/** Revokes the tokens of an account: proto AccountTokenService.RevokeAccountTokens. */
export function revokeAccountTokens(
  { db, principal, clock }: Call,
  { accountId, idType }: RevokeAccountTokensRequest,
): Promise<MessageInitShape<typeof RevokeAccountTokensResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    // After the wait for the lock.
    const now = clock();
    await revokeTokens(uow, account.id, now);
    return { revokedAt: timestampFromDate(now) };
  });
}
