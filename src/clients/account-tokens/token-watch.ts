import { setTimeout as sleep } from 'node:timers/promises';
import type { CryptoKey, JWK } from 'jose';
import { importJWK } from 'jose';
import { NIL_UUID } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import { UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { ALGORITHM, LIFETIME_MAX } from './token-claims.ts';
import { newTokenKey, privateKeyOf } from './token-keys.ts';
import { configuredOrigins, insertTokenKey, selectTokenKeys, type TokenKey } from './token-keys.queries.ts';

/** An account whose tokens were revoked. */
export type Revocation = { readonly accountId: string; readonly validFrom: Date };

/**
 * The state for checks of tokens: keys, revoked accounts and configured origins. A process reads them together, at most once a second and
 * only while it is asked. So the check of a single token needs no read, and a revocation takes effect within five seconds.
 */
export type TokenWatch = {
  /** The public key; undefined if there is none, or no more. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
  /** The key that signs now; the first token makes it. */
  signingKey(): Promise<{ readonly id: string; readonly key: CryptoKey }>;
  /** Milliseconds since 1970: tokens of the account that were issued until then are revoked. */
  revokedUntil(accountId: string): Promise<number>;
  /** The present state, for many tokens at once. */
  state(): Promise<{ hasKey(id: string): boolean; revokedUntil(accountId: string): number }>;
  /** Whether any client has configured the origin. */
  hasOrigin(origin: string): Promise<boolean>;
  /** The published keys. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
};

/** The dependencies of a watch. */
type WatchMeans = {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  /** Reads the latest revocations since a time, in a system unit of work, at most `limit`, the latest first. */
  readonly revocations: (uow: UnitOfWork, since: Date, limit: number) => Promise<Revocation[]>;
};

/** Milliseconds after which the state is read again; the call that notices it does not wait. */
const RENEWED_AFTER = 1_000;

/** Milliseconds after which calls wait for the next state. With the time of a read it is less than five seconds. */
const TRUSTED_FOR = 4_000;

/** Milliseconds between two reads for unknown keys: another process may have made one just now, and a stranger may invent many. */
const UNKNOWN_AFTER = 100;

/** Milliseconds by which a read begins before the latest known revocation: an older one may be committed later. */
const OVERLAP = 300_000;

/** The most remembered revocations, some 100 bytes each. */
const REVOCATIONS_MAX = 200_000;

type State = {
  readonly keys: readonly TokenKey[];
  readonly origins: ReadonlySet<string>;
  /** By `performance.now()`, before the read. */
  readonly readAt: number;
};

/** The watch of a process. */
export function createTokenWatch({ db, secrets, clock, revocations }: WatchMeans): TokenWatch {
  /** By account: milliseconds since 1970. */
  const revoked = new Map<string, number>();
  /** Milliseconds since 1970: older tokens are revoked, because there were too many revocations to remember them all. */
  let floor = 0;
  let latest: Date | undefined;
  let state: State | undefined;
  let reading: Promise<State> | undefined;
  const publicKeys = new Map<string, Promise<CryptoKey>>();
  const privateKeys = new Map<string, Promise<CryptoKey>>();

  function remember(found: readonly Revocation[], oldest: Date): void {
    for (const { accountId, validFrom } of found) {
      const at = Math.max(validFrom.getTime(), revoked.get(accountId) ?? 0);
      revoked.set(accountId, at);
      if (latest === undefined || latest < validFrom) latest = validFrom;
    }
    // Older revocations have outlived their tokens.
    for (const [accountId, at] of revoked) if (at < oldest.getTime()) revoked.delete(accountId);
    if (found.length === REVOCATIONS_MAX) floor = Math.max(floor, found.at(-1)!.validFrom.getTime());
    if (revoked.size <= REVOCATIONS_MAX) return;
    const ascending = [...revoked].toSorted(([, a], [, b]) => a - b);
    for (const [accountId, at] of ascending.slice(0, revoked.size / 2)) {
      revoked.delete(accountId);
      floor = at;
    }
  }

  async function read(): Promise<State> {
    const readAt = performance.now();
    const oldest = new Date(clock().getTime() - LIFETIME_MAX - 2 * CLOCK_TOLERANCE_MS);
    const since = latest === undefined ? oldest : new Date(Math.max(oldest.getTime(), latest.getTime() - OVERLAP));
    const [keys, origins, found] = await db.systemUnitOfWork((uow) =>
      Promise.all([selectTokenKeys(uow), configuredOrigins(uow), revocations(uow, since, REVOCATIONS_MAX)]),
    );
    remember(found, oldest);
    const ids = new Set(keys.map(({ id }) => id));
    for (const known of [publicKeys, privateKeys]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    return (state = { keys, origins: new Set(origins), readAt });
  }

  function readOnce(): Promise<State> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function current(): Promise<State> {
    const age = state === undefined ? Infinity : performance.now() - state.readAt;
    if (state === undefined || age > TRUSTED_FOR) return readOnce();
    // A failure shows when the state is too old.
    if (age > RENEWED_AFTER) readOnce().catch(() => undefined);
    return state;
  }

  /** A state that was read after `since`: a read that is under way may not see what was committed meanwhile. */
  async function readSince(since: number): Promise<State> {
    const known = await readOnce();
    return known.readAt < since ? readOnce() : known;
  }

  /** The key, even if another process made it a moment ago: a token is good at every process as soon as it was issued. */
  async function find(id: string): Promise<TokenKey | undefined> {
    const since = performance.now();
    const known = await current();
    const wanted = (key: TokenKey) => key.id === id;
    const found = known.keys.find(wanted);
    if (found !== undefined || known.readAt >= since) return found;
    await sleep(Math.max(0, known.readAt + UNKNOWN_AFTER - performance.now()));
    return (await readSince(since)).keys.find(wanted);
  }

  /** The newest key that signs already and that this process can open. */
  async function signing({ keys }: State): Promise<{ readonly id: string; readonly key: CryptoKey } | undefined> {
    const now = clock();
    for (const key of keys) {
      if (key.signsFrom > now) continue;
      const opened = privateKeys.get(key.id) ?? privateKeyOf(key, secrets);
      privateKeys.set(key.id, opened);
      try {
        return { id: key.id, key: await opened };
      } catch (error) {
        privateKeys.delete(key.id);
        if (!(error instanceof UnreadableSecret)) throw error;
      }
    }
    return undefined;
  }

  const revokedUntil = (accountId: string): number => Math.max(floor, revoked.get(accountId) ?? 0);

  return {
    async publicKey(id) {
      const key = await find(id);
      if (key === undefined) return undefined;
      const imported = publicKeys.get(id) ?? (importJWK(key.publicKey, ALGORITHM) as Promise<CryptoKey>);
      publicKeys.set(id, imported);
      return imported;
    },
    async signingKey() {
      const known = (await signing(await current())) ?? (await signing(await readOnce()));
      if (known !== undefined) return known;
      const now = clock();
      const key = await newTokenKey(secrets, now);
      await db.unitOfWork(NIL_UUID, (uow) => insertTokenKey(uow, key, now));
      await readSince(performance.now());
      return { id: key.id, key: await privateKeyOf(key, secrets) };
    },
    async revokedUntil(accountId) {
      await current();
      return revokedUntil(accountId);
    },
    async state() {
      const { keys } = await current();
      const ids = new Set(keys.map(({ id }) => id));
      return { hasKey: (id) => ids.has(id), revokedUntil };
    },
    async hasOrigin(origin) {
      return (await current()).origins.has(origin);
    },
    async jwks() {
      return { keys: (await current()).keys.map(({ publicKey }) => publicKey) };
    },
  };
}
