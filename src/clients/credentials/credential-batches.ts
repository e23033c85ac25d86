import { createBatcher } from '../../persistence/batching/batcher.ts';
import type { Database } from '../../persistence/database.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { type Credential, type CredentialKey, findCredentials, touchCredentials } from './authenticate.queries.ts';

/** Reads and writes of credentials, in batches. */
export type CredentialBatches = {
  /** The credential, also an expired or revoked one; undefined if unknown. */
  find(key: CredentialKey): Promise<Credential | undefined>;
  /** Records a use now, unless a use was recorded within `everyMs`. */
  touch(credential: Pick<Credential, 'clientId' | 'id'>): Promise<void>;
};

/** A placeholder, because batches mix the credentials of all clients. */
const EVERYBODY = '';

/** Credentials per statement. */
const BATCH_MAX = 500;

/** Concurrent statements. */
const AT_ONCE = 4;

/**
 * Batched access to the credentials in the database. The cache is valid for a second, so each event of a rarely active client needs a
 * look-up. With one transaction per look-up, an event of one of 2,000 clients took 1,670 us of this process; an event of a single client
 * took 130: docs/decisions/0051.
 * @param everyMs milliseconds between two records of one credential's use
 */
export function credentialBatches(db: Database, clock: Clock, everyMs: number): CredentialBatches {
  // Several batches run at once, so that a silent connection does not block every caller.
  const options = { concurrency: AT_ONCE, batchMax: BATCH_MAX, stuckMs: 60_000 };
  const finding = createBatcher<CredentialKey, Credential | undefined>({
    name: 'credentials',
    ...options,
    run: (_, keys) => findCredentials(db, keys),
  });
  const touching = createBatcher<Pick<Credential, 'clientId' | 'id'>, void>({
    name: 'used credentials',
    ...options,
    async run(_, credentials) {
      const now = clock();
      await touchCredentials(db, credentials, now, new Date(now.getTime() - everyMs));
      return credentials.map(() => undefined);
    },
  });
  return {
    find: (key) => finding.submit(EVERYBODY, key),
    touch: (credential) => touching.submit(EVERYBODY, credential),
  };
}
