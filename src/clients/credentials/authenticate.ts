import { hash as digest, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../kernel/time/clock.ts';
import { isDue } from '../../kernel/time/due.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { parseId } from '../../kernel/ids.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { Database } from '../../persistence/database.ts';
import { type ActedFor, type Credential, findActedFor, findSession } from './authenticate.queries.ts';
import { credentialBatches } from './credential-batches.ts';
import type { CredentialThrottle } from './credential-throttle.ts';
import { hasPermission } from '../permissions.ts';
import { missingCredential, type Principal } from '../principal.ts';
import { isAccountToken, type TokenChecker } from '../account-tokens/check-token.ts';
import { ACCESS_FOR } from '../sessions/sessions.queries.ts';
import { createTtlCache } from './ttl-cache.ts';
import { hashToken, parseToken } from './token.ts';

/** Identifies the caller by the headers alone. */
export type Authenticator = {
  /**
   * The principal of `Authorization: Bearer <token>`. A revocation takes effect within a second, an expiry at once.
   * @throws DomainError unauthenticated for a missing, malformed, unknown, expired or revoked credential, each with its own message;
   * forbidden or `CLIENT_NOT_FOUND` for a `Laurel-Client-Id` that this credential may not use; RateLimited if the caller's address sends
   * too many unknown credentials
   */
  authenticate(headers: CredentialHeaders): Promise<Principal>;
  /** Waits for pending writes about the last calls. */
  close(): Promise<void>;
};

/** The headers that authentication reads, and the caller's address. */
export type CredentialHeaders = {
  /** `Authorization` */
  readonly authorization: string | undefined;
  /** `Laurel-Client-Id`: the client that a SERVICE_ADMIN acts for. */
  readonly actFor: string | undefined;
  /** `Origin`, which a browser sends; an account token names those of its pages. */
  readonly origin?: string | undefined;
  /** Called only if the credential must be looked up. */
  readonly callerAddress?: () => string;
};

/** Milliseconds. A revocation must take effect within a second; the rest of the second is a margin for a busy process. */
const TRUSTED_FOR = 900;

/** Cached credentials: 300 bytes each, 3 MB at most. */
const REMEMBERED = 10_000;

/** Milliseconds between two writes of `last_used_at`: precise enough to find unused keys, and no write per call. */
const TOUCH_EVERY = 60_000;

/** The optional parts of an authenticator. */
type AuthenticatorParts = {
  /** Without one, guesses of credentials are not limited. */
  readonly throttle?: CredentialThrottle | undefined;
  /** Without one, no account token is accepted. */
  readonly tokens?: TokenChecker | undefined;
};

/** The authenticator over the credentials in the database. */
export function authenticator(
  db: Database,
  clock: Clock,
  logger: Logger,
  { throttle, tokens }: AuthenticatorParts = {},
): Authenticator {
  const credentials = createTtlCache<Credential | undefined>({ lifetimeMs: TRUSTED_FOR, capacity: REMEMBERED });
  const clients = createTtlCache<ActedFor | undefined>({ lifetimeMs: TRUSTED_FOR, capacity: REMEMBERED });
  const batches = credentialBatches(db, clock, TOUCH_EVERY);
  const writes = new Set<Promise<void>>();

  async function load(token: string): Promise<Credential | undefined> {
    const parsed = parseToken(token);
    if (parsed === undefined) throw unauthenticated('The credential is malformed: it was mistyped or cut short.');
    if (parsed.kind === 'REFRESH') throw unauthenticated('This is the value of a cookie. Send the access token.');
    const hash = hashToken(token);
    const { clientId, kind } = parsed;
    const credential = await (kind === 'SESSION' ? findSession(db, clientId, hash) : batches.find({ clientId, hash }));
    if (credential === undefined || !timingSafeEqual(credential.hash, hash)) return undefined;
    const isUsed = credential.actor.type === 'CREDENTIAL' && refusalOf(credential, clock()) === undefined;
    if (isUsed) touch(credential);
    return credential;
  }

  /** The call does not await it: a credential works even if the time of its last use cannot be stored. */
  function touch(credential: Credential): void {
    const { lastUsedAt } = credential;
    if (lastUsedAt !== undefined && !isDue(new Date(lastUsedAt.getTime() + TOUCH_EVERY), clock(), TOUCH_EVERY)) return;
    const write = batches
      .touch(credential)
      .catch((error: unknown) => logger.warn({ err: error, credentialId: credential.id }, 'last use not recorded'))
      .finally(() => writes.delete(write));
    writes.add(write);
  }

  async function enter(credential: Credential | undefined, actFor: string | undefined): Promise<Principal> {
    if (credential === undefined) {
      throw unauthenticated('The credential is not known. Send one that was issued here.');
    }
    const refusal = refusalOf(credential, clock());
    if (refusal !== undefined) throw refusal;
    const own = principalOf(credential);
    if (actFor === undefined || actFor === '') return own;
    const acted = await actingFor(own, actFor, (id) => clients.get(id, () => findActedFor(db, id)));
    return credential.lacksSecondFactor && acted.secondFactorRequired
      ? { ...acted.principal, secondFactorSetupRequired: true }
      : acted.principal;
  }

  return {
    async authenticate({ authorization, actFor, origin, callerAddress }) {
      const token = bearerOf(authorization);
      if (tokens !== undefined && isAccountToken(token)) {
        const principal = await tokens.check(token, { origin, callerAddress });
        if (actFor === undefined || actFor === '') return principal;
        throw new DomainError('FORBIDDEN', 'An account token takes no header `Laurel-Client-Id`. Leave it out.');
      }
      // The cache key is a digest, so that the cache holds no token.
      const key = digest('sha256', token, 'base64');
      const find = () => load(token);
      const remembered = await credentials.get(key, () =>
        throttle === undefined ? find() : throttle.lookUp(callerAddress?.() ?? '', key, find),
      );
      const principal = await enter(remembered, actFor);
      // The cached principal may be older than a new password or second factor, so the user is looked up again and continues at once.
      return principal.passwordChangeRequired || principal.secondFactorSetupRequired
        ? enter(await find(), actFor)
        : principal;
    },
    async close() {
      await Promise.all(writes);
    },
  };
}

function principalOf(credential: Credential): Principal {
  const { clientId, id, role, actor, passwordChangeRequired } = credential;
  const own = { clientId, credentialId: id, role, actor, ownClientId: clientId, passwordChangeRequired };
  // This also holds if the person acts for another client, because the person's own client requires the factor everywhere.
  const isHeldUp = credential.lacksSecondFactor && credential.secondFactorRequired;
  return isHeldUp ? { ...own, secondFactorSetupRequired: true } : own;
}

async function actingFor(
  own: Principal,
  actFor: string,
  find: (clientId: string) => Promise<ActedFor | undefined>,
): Promise<ActedFor & { readonly principal: Principal }> {
  const clientId = parseId(actFor);
  if (clientId === undefined) {
    throw new DomainError('BAD_REQUEST', 'The header `Laurel-Client-Id` must be the UUID of a client.');
  }
  if (clientId === own.clientId) return { principal: own, secondFactorRequired: false };
  if (!hasPermission(own, 'ACT_FOR_ANY_CLIENT')) {
    throw new DomainError(
      'FORBIDDEN',
      'Only a service administrator may act for another client. Leave the header `Laurel-Client-Id` out.',
    );
  }
  const found = await find(clientId);
  if (found === undefined) throw new DomainError('CLIENT_NOT_FOUND', sentence`There is no client ${clientId}.`);
  return { ...found, principal: { ...own, clientId } };
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') throw missingCredential();
  const [scheme = '', token = '', ...rest] = authorization.split(' ');
  if (scheme.toLowerCase() === 'bearer' && token !== '' && rest.length === 0) return token;
  throw unauthenticated('The header `Authorization` must read `Bearer <API_KEY>`, with one space.');
}

function refusalOf(credential: Credential, now: Date): DomainError | undefined {
  if (credential.revokedAt !== undefined && credential.actor.type === 'USER') {
    return unauthenticated('The session has ended. Sign in again.');
  }
  if (credential.revokedAt !== undefined) {
    return unauthenticated('The credential has been revoked. Send one that is still valid.');
  }
  // The creator of a credential chooses its lifetime; a session has a known maximum.
  const longestMs = credential.actor.type === 'USER' ? ACCESS_FOR : Infinity;
  if (credential.expiresAt !== undefined && isDue(credential.expiresAt, now, longestMs)) {
    return unauthenticated(sentence`The credential expired at ${credential.expiresAt}. Send one that is still valid.`);
  }
  return undefined;
}

function unauthenticated(message: string | Sentence): DomainError {
  return new DomainError('UNAUTHENTICATED', message);
}
