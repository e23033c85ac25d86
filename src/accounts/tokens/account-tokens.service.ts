import type { AccountTokenService } from '../../../gen/laurel/v1/account_token_service_pb.ts';
import type { TokenWatch } from '../../clients/account-tokens/token-watch.ts';
import type { Handlers } from '../../clients/call.ts';
import { createAccountToken } from './create-account-token.ts';
import { revokeAccountTokens } from './revoke-account-tokens.ts';

/** Tokens with which apps and pages call for one account. */
export function accountTokensService(watch: TokenWatch) {
  return {
    createAccountToken: (call, request) => createAccountToken(call, request, watch),
    revokeAccountTokens,
  } satisfies Handlers<typeof AccountTokenService>;
}
