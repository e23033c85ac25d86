import { createBatcher } from '../../persistence/batching/batcher.ts';
import type { Database } from '../../persistence/database.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { type Credential, type CredentialKey, findCredentials, touchCredentials } from './authenticate.queries.ts';

/** Reads and writes of credentials, in batches. */
export type CredentialBatches = {
  /** The credential, also an expired or revoked one; undefined for none. */
  find(key: CredentialKey): Promise<Credential | undefined>;
  /** Records that it is used now, unless a use was recorded within `everyMs`. */
  touch(credential: Pick<Credential, 'clientId' | 'id'>): Promise<void>;
};

/** A placeholder, because batches mix the credentials of all clients. */
const EVERYBODY = '';

/** Credentials in one statement. */
const BATCH_MAX = 500;

/** Statements at once. */
const AT_ONCE = 4;

/**
 * Batches over the credentials in the database. A credential is looked up again every second, and of thousands of clients with an
 * event now and then each event needs that. With a transaction for each, and one for each event, an event of one of 2,000 clients
 * cost 1,670 us of this process, 130 where one client sends all: docs/decisions/0051.
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
