import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AccountAdminService,
  type RevokeTokensOfAccountRequest,
  type RevokeTokensOfAccountResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import { revokeTokens } from '../accounts/tokens/tokens-valid-from.queries.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Revokes the account tokens of an account: proto AccountAdminService.RevokeTokensOfAccount. */
export function revokeTokensOfAccount(
  call: Call,
  request: RevokeTokensOfAccountRequest,
): Promise<RevokeTokensOfAccountResponse> {
  const { accountId, idType } = request;
  return runSupportAction(call, {
    method: AccountAdminService.method.revokeTokensOfAccount,
    request,
    content: namedAccount(idType, accountId),
    async work(uow) {
      const account = await requireAccount(uow, { accountId, idType }, 'change');
      const now = call.clock();
      await revokeTokens(uow, account.id, now);
      return { answer: { revokedAt: timestampFromDate(now) }, change: byId(account.id) };
    },
  });
}
