import { SignJWT } from 'jose';
import { ALGORITHM, ISSUER, type TokenClaims, TYPE } from './token-claims.ts';
import type { TokenWatch } from './token-watch.ts';

/** Signs a token. */
export async function signToken(watch: Pick<TokenWatch, 'signingKey'>, claims: TokenClaims): Promise<string> {
  const { id, key } = await watch.signingKey();
  const { issuerClientId, issuerId, permissions, eventCodes, origins } = claims;
  return (
    new SignJWT({ by: issuerId, byClient: issuerClientId, permissions, eventCodes, origins })
      .setProtectedHeader({ alg: ALGORITHM, kid: id, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(claims.clientId)
      .setSubject(claims.accountId)
      // With milliseconds, so that a token that was issued right after a revocation is good.
      .setIssuedAt(claims.issuedAt / 1_000)
      .setExpirationTime(claims.expiresAt / 1_000)
      .sign(key)
  );
}
