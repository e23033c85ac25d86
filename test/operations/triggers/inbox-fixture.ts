import { expect } from 'vitest';
import { claimOf } from '../../../src/idempotency/claim.ts';
import { claimOperations } from '../../../src/idempotency/operations.queries.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { insertTriggers, recordFailures } from '../../../src/triggers/inbox/inbox.queries.ts';
import type { StoredTrigger } from '../../../src/triggers/inbox/waiting-trigger.ts';
import type { TestService } from '../../support/service.ts';

/** The waiting events in the inbox of the service's first tenant, and its dead triggers. */
export function inboxOf({ db, clientId }: Pick<TestService, 'db' | 'clientId'>) {
  return db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string; dead: boolean }>(`select id, dead_at is not null as dead from trigger_inbox order by id`),
  );
}

/** Resolves when the inbox of every tenant is empty. */
export async function untilApplied({ db }: Pick<TestService, 'db'>, timeout = 10_000): Promise<void> {
  const waiting = () => db.systemUnitOfWork((uow) => uow.query(`select id from trigger_inbox where dead_at is null`));
  await expect.poll(waiting, { timeout, interval: 15 }).toEqual([]);
}

/**
 * Locks an account of the first tenant, so that its next event blocks in the middle of its transaction until the returned function is
 * called. `thenDelete` deletes the account before the release; `lock` may be one that lets the account join and leave audiences in the
 * meantime.
 */
export async function holdAccount(
  { db, clientId }: Pick<TestService, 'db' | 'clientId'>,
  externalId: string,
  { thenDelete = false, lock = 'for update' } = {},
): Promise<() => Promise<void>> {
  return whileHeld((hold) =>
    db.unitOfWork(clientId, async (uow) => {
      await uow.query(`select from account where client_id = $1 and external_id = $2 ${lock}`, [clientId, externalId]);
      await hold();
      if (thenDelete) await uow.query('update account set deleted_at = now() where external_id = $1', [externalId]);
    }),
  );
}

/** Holds the operation id of an event, as a transaction that applies it does, until the returned function is called. */
export async function holdOperation(
  { db, clientId }: Pick<TestService, 'db' | 'clientId'>,
  { programmaticCode, operationId }: { readonly programmaticCode: string; readonly operationId: string },
): Promise<() => Promise<void>> {
  return whileHeld((hold) =>
    db.unitOfWork(clientId, async (uow) => {
      expect(await claimOperations(uow, [claimOf(operationId, `trigger/${programmaticCode}`, [])])).toMatchObject([
        { state: 'free' },
      ]);
      await hold();
    }),
  );
}

/** Stores an event in the inbox as one that failed, so that the worker tries it again in an hour. */
export function waitForAnHour(
  service: Pick<TestService, 'db' | 'clientId'>,
  event: Omit<StoredTrigger, 'occurredAt'>,
  key?: string,
): Promise<void> {
  return waitInQueue(service, event, 3_600_000, key);
}

/**
 * Stores an event in the inbox as one that failed, so that the worker tries it again after these milliseconds.
 * @param key the operation id by default
 */
export async function waitInQueue(
  { db, clientId }: Pick<TestService, 'db' | 'clientId'>,
  event: Omit<StoredTrigger, 'occurredAt'>,
  retryInMs: number,
  key = event.operationId,
): Promise<void> {
  const acceptedAt = new Date();
  const row = { ...event, id: newId(), key, occurredAt: acceptedAt, acceptedAt };
  await db.unitOfWork(clientId, async (uow) => {
    await insertTriggers(uow, [row]);
    const failure = { id: row.id, attempts: 1, retryInMs, code: 'DATABASE_BUSY', message: '' } as const;
    await recordFailures(uow, [failure]);
  });
}

/** A key of an advisory lock that is not used elsewhere. */
const REMOVALS = 7_290_461;

/**
 * Blocks every transaction that has applied events at its last statement, which removes them from the inbox, until the returned function is
 * called: before the removal, or after it.
 */
export async function holdRemovals(
  { db }: Pick<TestService, 'db'>,
  when: 'before' | 'after' = 'before',
): Promise<() => Promise<void>> {
  await db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    await uow.query(`create or replace function wait_to_remove() returns trigger language plpgsql as
                     $$ begin perform pg_advisory_xact_lock_shared(${REMOVALS}); return null; end $$`);
    await uow.query(`create or replace trigger wait_to_remove ${when} delete on trigger_inbox
                     for each statement execute function wait_to_remove()`);
  });
  return whileHeld((hold) =>
    db.systemUnitOfWork(async (uow) => {
      await uow.query(`select pg_advisory_xact_lock(${REMOVALS})`);
      await hold();
    }),
  );
}

/**
 * Resolves when `count` transactions wait for a lock, such as that of {@link holdAccount}; one by default.
 * @param sinceMs the minimum time of waiting: events in a batch give up after 200 ms, and then wait alone
 */
export async function untilBlocked({ db }: Pick<TestService, 'db'>, count = 1, sinceMs = 0): Promise<void> {
  const stuck = () =>
    db.systemUnitOfWork(async (uow) => {
      // The roles of the service must not see the activity of other sessions.
      await uow.query('set local role none');
      return uow.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and clock_timestamp() - query_start >= $1 * interval '1 millisecond'`,
        [sinceMs],
      );
    });
  await expect.poll(stuck, { timeout: 5_000, interval: 15 }).toSatisfy((waiting: object[]) => waiting.length >= count);
}

/** Starts `work`, resolves once it holds its lock, and returns the function that lets it continue to its end. */
async function whileHeld(work: (hold: () => Promise<void>) => Promise<void>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const done = work(() => {
    held.resolve();
    return released.promise;
  });
  await Promise.race([held.promise, done]);
  return () => {
    released.resolve();
    return done;
  };
}
