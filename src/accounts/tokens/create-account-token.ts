import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AccountToken_Permission as Permission,
  AccountToken_PermissionSchema,
} from '../../../gen/laurel/v1/account_token_pb.ts';
import type {
  CreateAccountTokenRequest,
  CreateAccountTokenResponseSchema,
} from '../../../gen/laurel/v1/account_token_service_pb.ts';
import { issuerOf } from '../../clients/account-tokens/issuers.queries.ts';
import { signToken } from '../../clients/account-tokens/issue-token.ts';
import type { TokenWatch } from '../../clients/account-tokens/token-watch.ts';
import type { Call } from '../../clients/call.ts';
import { originsOfClient } from '../../clients/account-tokens/token-keys.queries.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { MINUTE } from '../../kernel/time/timestamp.ts';
import { requireAccount } from '../resolving/resolve-accounts.ts';

/** The default lifetime in minutes. */
const LIFETIME = 60;

/** Issues a token for an account: proto AccountTokenService.CreateAccountToken. */
export async function createAccountToken(
  { db, principal, clock }: Call,
  { accountId, idType, permissions, eventCodes, lifetimeMinutes = LIFETIME, origins }: CreateAccountTokenRequest,
  watch: Pick<TokenWatch, 'signingKey'>,
): Promise<MessageInitShape<typeof CreateAccountTokenResponseSchema>> {
  const emits = permissions.includes(Permission.EMIT);
  if (emits && eventCodes.length === 0)
    throw badRequest('A token with the permission EMIT names in `eventCodes` the events that it may send.');
  if (!emits && eventCodes.length > 0) throw badRequest('`eventCodes` are for the permission EMIT. Leave them out.');
  const account = await db.read(principal.clientId, async (uow) => {
    const configured = origins.length === 0 ? [] : await originsOfClient(uow);
    const unknown = origins.find((origin) => !configured.includes(origin));
    if (unknown !== undefined)
      throw badRequest(
        sentence`origins has '${unknown}', which the client has not configured. Add it to the client's accountTokens.origins first.`,
      );
    return requireAccount(uow, { accountId, idType });
  });
  const { clientId, credentialId, ownClientId = clientId } = principal;
  const issuer = await issuerOf(db, { clientId: ownClientId, id: credentialId });
  const issuedAt = clock().getTime();
  const expiresAt = Math.min(issuedAt + lifetimeMinutes * MINUTE, issuer?.expiresAt?.getTime() ?? Infinity);
  const token = await signToken(watch, {
    accountId: account.id,
    clientId,
    issuerId: credentialId,
    issuerClientId: ownClientId,
    // The rules of the proto refuse the zero value.
    permissions: permissions.flatMap((each) => enumName(AccountToken_PermissionSchema, each) ?? []),
    eventCodes,
    origins,
    issuedAt,
    expiresAt,
  });
  return { token, expiresAt: timestampFromDate(new Date(expiresAt)), accountId: account.id };
}
