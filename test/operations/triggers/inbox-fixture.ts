import { expect } from 'vitest';
import type { TestService } from '../../support/service.ts';

/** What waits in the inbox of the service's first tenant, and its dead letters. */
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
 * until the function that it gives is called. `thenDelete` deletes the account before it lets go.
 */
export async function holdAccount(
  { db, clientId }: Pick<TestService, 'db' | 'clientId'>,
  externalId: string,
  { thenDelete = false } = {},
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const done = db.unitOfWork(clientId, async (uow) => {
    await uow.query(`select from account where client_id = $1 and external_id = $2 for update`, [clientId, externalId]);
    held.resolve();
    await released.promise;
    if (thenDelete) await uow.query('update account set deleted_at = now() where external_id = $1', [externalId]);
  });
  await Promise.race([held.promise, done]);
  return () => {
    released.resolve();
    return done;
  };
}

/** Resolves when a transaction waits for a lock, such as that of {@link holdAccount}. */
export async function untilStuck({ db }: Pick<TestService, 'db'>): Promise<void> {
  const stuck = () =>
    db.systemUnitOfWork(async (uow) => {
      // The roles of the service may not see what other sessions do.
      await uow.query('set local role none');
      return uow.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    });
  await expect.poll(stuck, { timeout: 5_000, interval: 15 }).not.toEqual([]);
}
