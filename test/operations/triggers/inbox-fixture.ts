import { expect } from 'vitest';
import type { TestService } from '../../support/service.ts';

/** What waits in the inbox of the service's first tenant, and its dead triggers. */
export function inboxOf({ db, clientId }: Pick<TestService, 'db' | 'clientId'>) {
  return db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string; dead: boolean }>(`select id, dead_at is not null as dead from trigger_inbox order by id`),
  );
}

/** Resolves when nothing waits in the inbox of any tenant any more. */
export async function untilApplied({ db }: Pick<TestService, 'db'>, timeout = 10_000): Promise<void> {
  const waiting = () => db.systemUnitOfWork((uow) => uow.query(`select id from trigger_inbox where dead_at is null`));
  await expect.poll(waiting, { timeout, interval: 15 }).toEqual([]);
}

/**
 * Locks an account of the first tenant, so that whatever is applied to it stands still in the middle of its transaction
 * until the function that it gives is called. `thenDelete` deletes the account before it lets go; `lock` may be one that lets the
 * account join and leave audiences meanwhile.
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

/** Any number that nobody else locks. */
const REMOVALS = 7_290_461;

/**
 * Lets every transaction that has applied events stand still at the last statement, which removes them from the inbox, until the
 * function that it gives is called: before they are removed, or once they are.
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
 * Resolves when that many transactions wait for a lock, such as that of {@link holdAccount}; one by default.
 * @param sinceMs for so long at least: those who wait in a batch give up after 200 ms and wait by themselves then
 */
export async function untilBlocked({ db }: Pick<TestService, 'db'>, count = 1, sinceMs = 0): Promise<void> {
  const stuck = () =>
    db.systemUnitOfWork(async (uow) => {
      // The roles of the service may not see what other sessions do.
      await uow.query('set local role none');
      return uow.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and clock_timestamp() - query_start >= $1 * interval '1 millisecond'`,
        [sinceMs],
      );
    });
  await expect.poll(stuck, { timeout: 5_000, interval: 15 }).toSatisfy((waiting: object[]) => waiting.length >= count);
}

/** Starts `work`, resolves once it holds what it wants, and gives the function that lets it go on to its end. */
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
