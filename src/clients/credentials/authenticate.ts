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
import { ACCESS_FOR } from '../sessions/sessions.queries.ts';
import { createTtlCache } from './ttl-cache.ts';
import { hashToken, parseToken } from './token.ts';

/** Tells who makes a call, from its headers alone. */
export type Authenticator = {
  /**
   * The principal behind `Authorization: Bearer <token>`. A revocation is obeyed within a second, an expiry at once.
   * @throws DomainError unauthenticated: missing, malformed, unknown, expired or revoked, each in its own words;
   * forbidden or `CLIENT_NOT_FOUND` for a `Laurel-Client-Id` that this credential may not name; RateLimited where the
   * caller's address guesses
   */
  authenticate(headers: CredentialHeaders): Promise<Principal>;
  /** Waits for what is still being written about the last calls. */
  close(): Promise<void>;
};

/** The two headers that authentication reads, and where they came from. */
export type CredentialHeaders = {
  /** `Authorization` */
  readonly authorization: string | undefined;
  /** `Laurel-Client-Id`: the client that a SERVICE_ADMIN acts for. */
  readonly actFor: string | undefined;
  /** Asked only where the credential must be looked up. */
  readonly callerAddress?: () => string;
};

/** Milliseconds. A revocation must be obeyed within a second; the rest of that second is for a busy process. */
const TRUSTED_FOR = 900;

/** Credentials remembered; at some 300 bytes each this is 3 MB at most. */
const REMEMBERED = 10_000;

/** Milliseconds between two writes of `last_used_at`: precise enough to find unused keys, and no write per call. */
const TOUCH_EVERY = 60_000;

/** The authenticator over the credentials in the database; without a `throttle` anyone may guess as fast as he can. */
export function authenticator(
  db: Database,
  clock: Clock,
  logger: Logger,
  throttle?: CredentialThrottle,
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

  /** The call does not await it: a credential still works if the time of its last use cannot be stored. */
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
    async authenticate({ authorization, actFor, callerAddress }) {
      const token = bearerOf(authorization);
      // Remembered by digest, so that what is remembered holds no token.
      const key = digest('sha256', token, 'base64');
      const find = () => load(token);
      const remembered = await credentials.get(key, () =>
        throttle === undefined ? find() : throttle.lookUp(callerAddress?.() ?? '', key, find),
      );
      const principal = await enter(remembered, actFor);
      // A user who has just changed the password or set up a second factor can continue at once.
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
  // Also where the person acts for another client: whose people they are asks it of them wherever they go.
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
  // How long a credential lasts is for who made it to say; how long a session does is known.
  const longestMs = credential.actor.type === 'USER' ? ACCESS_FOR : Infinity;
  if (credential.expiresAt !== undefined && isDue(credential.expiresAt, now, longestMs)) {
    return unauthenticated(sentence`The credential expired at ${credential.expiresAt}. Send one that is still valid.`);
  }
  return undefined;
}

function unauthenticated(message: string | Sentence): DomainError {
  return new DomainError('UNAUTHENTICATED', message);
}
