import { hash as digest } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { parseId } from '../../kernel/ids.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { CLOCK_TOLERANCE_MS, isDue } from '../../kernel/time/due.ts';
import type { CredentialThrottle } from '../credentials/credential-throttle.ts';
import { createTtlCache } from '../credentials/ttl-cache.ts';
import type { Principal } from '../principal.ts';
import type { Issuer, IssuerKey } from './issuers.queries.ts';
import { ALGORITHM, ISSUER, LIFETIME_MAX, type TokenClaims, type TokenPermission, TYPE } from './token-claims.ts';
import type { TokenWatch } from './token-watch.ts';

/** Identifies callers by account tokens. */
export type TokenChecker = {
  /**
   * The principal of a token.
   * @throws DomainError unauthenticated for a token that is malformed, altered, expired or revoked; `ORIGIN_NOT_ALLOWED`
   */
  check(token: string, from: TokenUse): Promise<Principal>;
  /** Those of the callers whose tokens have expired or were revoked since they were checked. */
  refused<Caller extends { readonly principal: Principal }>(callers: readonly Caller[]): Promise<Caller[]>;
};

/** Where a token came from. */
export type TokenUse = {
  /** The header `Origin`, which browsers send. */
  readonly origin: string | undefined;
  readonly callerAddress?: (() => string) | undefined;
};

/** The dependencies of a checker. */
type CheckMeans = {
  readonly watch: TokenWatch;
  readonly clock: Clock;
  /** Finds the issuer of a token, also a revoked one. */
  readonly findIssuer: (key: IssuerKey) => Promise<Issuer | undefined>;
  readonly throttle?: CredentialThrottle | undefined;
};

/** Whether a bearer's text is meant as an account token: its header is JSON. */
export function isAccountToken(text: string): boolean {
  return text.startsWith('eyJ');
}

/** Verified tokens that are remembered, 1 KB each. */
const REMEMBERED = 10_000;

/** Milliseconds: as for API keys. */
const ISSUER_TRUSTED_FOR = 900;

/** A verified token. Its time, its account, its issuer and its key are looked at with each call. */
type Verified = { readonly claims: TokenClaims; readonly keyId: string };

/** The checker of a process. */
export function createTokenChecker({ watch, clock, findIssuer, throttle }: CheckMeans): TokenChecker {
  const verified = new LRUCache<string, Verified>({ max: REMEMBERED });
  const issuers = createTtlCache<Issuer | undefined>({ lifetimeMs: ISSUER_TRUSTED_FOR, capacity: REMEMBERED });

  /** The signature of a token is checked once; without a valid one it counts as a guess. */
  async function verifiedOf(token: string, { callerAddress }: TokenUse): Promise<Verified> {
    // A digest, so that no token is kept.
    const key = digest('sha256', token, 'base64');
    const known = verified.get(key);
    if (known !== undefined) return known;
    const verify = () => verifySignature(token, watch, clock());
    const found = await (throttle === undefined ? verify() : throttle.lookUp(callerAddress?.() ?? '', key, verify));
    if (found === undefined) throw unauthenticated('The account token was not issued here, or was altered.');
    verified.set(key, found);
    return found;
  }

  /** The issuer of a token; undefined if it was revoked or has expired. */
  async function validIssuer(key: IssuerKey, now: Date): Promise<Issuer | undefined> {
    const issuer = await issuers.get(`${key.clientId} ${key.id}`, () => findIssuer(key));
    if (issuer === undefined || issuer.revokedAt !== undefined) return undefined;
    return issuer.expiresAt !== undefined && isDue(issuer.expiresAt, now, Infinity) ? undefined : issuer;
  }

  return {
    async refused(callers) {
      if (callers.length === 0) return [];
      const now = clock();
      const state = await watch.state();
      const known = new Map<string, Issuer | undefined>();
      for (const { principal } of callers) {
        const { credentialId: id, clientId, ownClientId = clientId } = principal;
        if (!known.has(id)) known.set(id, await validIssuer({ clientId: ownClientId, id }, now));
      }
      return callers.filter(({ principal: { account, credentialId } }) => {
        if (account === undefined) return true;
        const { keyId, issuedAt, expiresAt } = account.token;
        if (expiresAt + CLOCK_TOLERANCE_MS <= now.getTime() || !state.hasKey(keyId)) return true;
        return issuedAt <= state.revokedUntil(account.id) || known.get(credentialId) === undefined;
      });
    },
    async check(token, use) {
      const { claims, keyId } = await verifiedOf(token, use);
      const { accountId, clientId, issuerId, issuerClientId } = claims;
      const now = clock();
      if (claims.expiresAt + CLOCK_TOLERANCE_MS <= now.getTime())
        throw unauthenticated(sentence`The account token expired at ${new Date(claims.expiresAt)}. Ask for a new one.`);
      if (claims.issuedAt > now.getTime() + CLOCK_TOLERANCE_MS)
        throw unauthenticated('The account token was issued in the future: a clock is wrong.');
      if ((await watch.publicKey(keyId)) === undefined)
        throw unauthenticated('The key of the account token is no longer valid. Ask for a new token.');
      const revoked = () => unauthenticated('The account token has been revoked. Ask for a new one.');
      if (claims.issuedAt <= (await watch.revokedUntil(accountId))) throw revoked();
      const issuer = await validIssuer({ clientId: issuerClientId, id: issuerId }, now);
      if (issuer === undefined) throw revoked();
      if (use.origin !== undefined && !claims.origins.includes(use.origin))
        throw new DomainError(
          'ORIGIN_NOT_ALLOWED',
          'The account token is not for pages of this origin. Issue one with it in `origins`.',
        );
      return {
        clientId,
        credentialId: issuerId,
        role: 'ACCOUNT',
        actor: { type: 'CREDENTIAL', id: issuerId, name: issuer.name },
        ownClientId: issuerClientId,
        account: {
          id: accountId,
          permissions: claims.permissions,
          eventCodes: claims.eventCodes,
          token: { keyId, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt },
        },
      };
    },
  };
}

/** The content of a token with a valid signature; undefined for any other. Its end is looked at elsewhere. */
async function verifySignature(token: string, watch: TokenWatch, now: Date): Promise<Verified | undefined> {
  try {
    const { alg, kid, typ } = decodeProtectedHeader(token);
    if (alg !== ALGORITHM || typ !== TYPE || kid === undefined || parseId(kid) !== kid) return undefined;
    const key = await watch.publicKey(kid);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      requiredClaims: ['sub', 'aud', 'iat', 'exp', 'by', 'byClient'],
      currentDate: now,
      // A token of whatever time: the caller is told that it has expired.
      clockTolerance: Number.MAX_SAFE_INTEGER / 2_000,
    });
    const issuedAt = Math.round(payload.iat! * 1_000);
    const expiresAt = Math.round(payload.exp! * 1_000);
    if (expiresAt - issuedAt > LIFETIME_MAX) return undefined;
    const { by, byClient, permissions, eventCodes, origins } = payload;
    const claims: TokenClaims = {
      accountId: payload.sub!,
      clientId: String(payload.aud),
      issuerId: by as string,
      issuerClientId: byClient as string,
      permissions: permissions as TokenPermission[],
      eventCodes: eventCodes as string[],
      origins: origins as string[],
      issuedAt,
      expiresAt,
    };
    return { claims, keyId: kid };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function unauthenticated(message: string | Sentence): DomainError {
  return new DomainError('UNAUTHENTICATED', message);
}
