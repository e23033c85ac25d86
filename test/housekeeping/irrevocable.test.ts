import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { lockAccounts } from '../../src/accounts/resolving/resolve-accounts.ts';
import { createHousekeeping } from '../../src/housekeeping/housekeeping.ts';
import { scheduledJobs } from '../../src/housekeeping/scheduled-jobs.ts';
import { claimOf } from '../../src/idempotency/claim.ts';
import { storeOperations } from '../../src/idempotency/operations.queries.ts';
import { retentionStartOf, latestTrustedTime } from '../../src/kernel/time/clock.ts';
import { firstIdAt, newId } from '../../src/kernel/ids.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { deleteOldOperations } from '../../src/idempotency/delete-old-operations.ts';
import { openLedger } from '../../src/loyalty/open-ledger.ts';
import { settledBalance } from '../../src/loyalty/settled-balance.ts';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import { newClient } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { DAY, YEAR, watchedClocks } from './watched-clocks.ts';

const clocks = watchedClocks();
const { sql, watch, lastRound } = clocks;

describe('what cannot be undone', () => {
  const RETENTION = { operationDays: 30, deliveryDays: 7, auditDays: 400, journalDays: 7 };
  const jobs = () =>
    scheduledJobs(RETENTION, {
      dispatcher: { wake() {} },
      parts: partsOfAccount,
      catalogs: createCatalogs(),
      secrets: createSecretBox([Buffer.alloc(32, 1)]),
      alerts: { check: () => Promise.resolve(0) },
    });

  const all = {
    operations: 1,
    refusals: 1,
    lots: 1,
    deliveries: 1,
    uploads: 1,
    reservations: 1,
    memberships: 1,
    sessions: 1,
    changes: 1,
  };

  /** Runs every job at least once, by a clock that is a year ahead. */
  async function runHousekeeping(trustedNow?: () => Promise<Date | undefined>): Promise<void> {
    const done = new Map<string, number>();
    const housekeeping = createHousekeeping({
      db: clocks.database.db,
      jobs: jobs().map((job) => ({ ...job, everyMs: 5 })),
      clock: () => new Date(Date.now() + YEAR),
      trustedNow,
      logger: pino({ level: 'silent' }),
      observe: ({ name }) => void done.set(name, (done.get(name) ?? 0) + 1),
    });
    housekeeping.start();
    await expect.poll(() => jobs().every(({ name }) => (done.get(name) ?? 0) >= 2), { timeout: 20_000 }).toBe(true);
    await housekeeping.stop();
  }

  /** The remaining rows that the jobs may delete. */
  async function tidied(trustedNow?: () => Promise<Date | undefined>): Promise<Record<string, number>> {
    const clientId = await newClient(clocks.database.db);
    const account = 'c5b0d3b4-7a8a-7c3e-8000-000000000001';
    const other = 'c5b0d3b4-7a8a-7c3e-8000-000000000002';
    await clocks.database.db.unitOfWork(clientId, async (uow) => {
      const run = (text: string) => uow.query(text.replaceAll('$client', `'${clientId}'`));
      await run(`insert into operation (client_id, id, fingerprint) values ($client, 'bought', '')`);
      await run(
        `insert into operation_refusal (client_id, operation_id, scope, refused_at) values ($client, 'a', 'b', now())`,
      );
      await run(`insert into account (client_id, id) values ($client, '${account}')`);
      await run(`insert into point_lot (client_id, id, account_id, amount, remaining, expires_at, created_at)
                 values ($client, '${other}', '${account}', 5, 5, now() + interval '30 days', now())`);
      await run(`insert into point_balance (client_id, account_id, available, spent, expired, lifetime_earned, next_expires_at)
                 values ($client, '${account}', 5, 0, 0, 5, now() + interval '30 days')`);
      await run(`insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, attempted_at, duration_ms, outcome)
                 values ($client, '${newId()}', '${other}', 'REWARDS', 1, 'POST', 'http://a', now(), 1, 'DELIVERED')`);
      await run(`insert into csv_import (client_id, id, type, status, file_name, uploaded_at)
                 values ($client, '${other}', 'ACCOUNTS', 'UPLOADING', 'a.csv', now())`);
      await run(`insert into product (client_id, id, name, stock_mode) values ($client, '${other}', 'a', 'UNLIMITED')`);
      await run(`insert into publication (client_id, id, name, product_id, stock, reserved)
                 values ($client, '${other}', 'a', '${other}', 1, 1)`);
      await run(`insert into reservation (client_id, id, publication_id, account_id, quantity, expires_at)
                 values ($client, '${other}', '${other}', '${account}', 1, now() + interval '1 hour')`);
      await run(`insert into former_membership (client_id, account_id, audience_id, joined_at, left_at)
                 values ($client, '${account}', '${other}', now(), now())`);
      await run(`insert into console_user (client_id, id, email, name, password_hash, role)
                 values ($client, '${other}', '${clientId}@example.com', 'a', '', 'CLIENT_ADMIN')`);
      await run(`insert into console_session (client_id, id, user_id, expires_at)
                 values ($client, '${other}', '${other}', now() + interval '1 day')`);
    });
    // A hundred days old: a year ahead it is older than the retention time.
    const entry = firstIdAt(new Date(Date.now() - 100 * DAY));
    const values = [clientId, entry];
    await sql(
      `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type)
       values ($1, $2, 'COMMAND_LINE', 'test', 'CommandLine.Migrate', 'service')`,
      values,
    );
    await sql(`insert into audit_seal (client_id, position, entry_id, hash) values ($1, 1, $2, '')`, values);
    await sql(
      `insert into audit_checkpoint (client_id, position, hash, signature, public_key) values ($1, 1, '', '', '')`,
      [clientId],
    );
    await runHousekeeping(trustedNow);
    const left: Record<string, number> = {};
    for (const [what, from] of [
      ['operations', 'operation'],
      ['refusals', 'operation_refusal'],
      ['lots', 'point_lot where remaining > 0 and '],
      ['deliveries', 'webhook_delivery'],
      ['uploads', `csv_import where status = 'UPLOADING' and `],
      ['reservations', `reservation where status = 'ACTIVE' and `],
      ['memberships', 'former_membership'],
      ['sessions', 'console_session'],
      ['changes', `audit_entry where operation = 'CommandLine.Migrate' and `],
    ]) {
      const where = from!.includes('where') ? from! : `${from} where `;
      const [row] = await sql<{ count: number }>(`select count(*)::int as count from ${where} client_id = $1`, [
        clientId,
      ]);
      left[what!] = row!.count;
    }
    return left;
  }

  test('is not done by a clock that is not trusted, while everything else goes on', async () => {
    expect(await tidied(() => Promise.resolve(undefined))).toEqual(all);
  });

  test('is done by the moment that is trusted, and not by one that a clock jumps to', async () => {
    expect(await tidied(() => Promise.resolve(new Date()))).toEqual(all);
    const none = Object.fromEntries(Object.keys(all).map((what) => [what, 0]));
    expect(await tidied()).toEqual(none);
  });

  test('is not done to the journal either, which goes by days of PostgreSQL', async () => {
    const clientId = await newClient(clocks.database.db);
    await clocks.database.db.systemUnitOfWork(async (uow) => {
      // Runs as the login that migrated, which owns the tables.
      await uow.query('set local role none');
      await uow.query(`create table journal_batch_20250101 partition of journal_batch
                       for values from ('2025-01-01 00:00+00') to ('2025-01-02 00:00+00')`);
    });
    const run = (text: string) => clocks.database.db.unitOfWork(clientId, (uow) => uow.query(text, [clientId]));
    // One of a day with a partition, and one of a day without.
    for (const day of ['2025-01-01', '2025-01-02'])
      await run(`insert into journal_batch (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, entries)
                 values ($1, '${day} 12:00+00', '${newId()}', '{null}', '{OLD}', '{1}', '{}', '[[0, 0, 1, 0, 0, 0, 0]]')`);
    const left = () => run('select 1 from journal_batch where client_id = $1');
    await runHousekeeping(() => Promise.resolve(undefined));
    expect(await left()).toHaveLength(2);
    await runHousekeeping(() => Promise.resolve(new Date()));
    expect(await left()).toEqual([]);
  });

  test('is asked about by the service itself', { timeout: 90_000 }, async () => {
    let asked = 0;
    const clockWatch = {
      doubt: () => undefined,
      stop: () => Promise.resolve(),
      trustedNow: () => Promise.resolve(void (asked += 1)),
    };
    const service = await startService({ clockWatch, housekeeping: RETENTION });
    try {
      // Every job begins within a minute, and a job with a look for work within seconds.
      await expect.poll(() => asked, { timeout: 61_000 }).toBeGreaterThan(0);
    } finally {
      await service.close();
    }
  });

  test('by calls that change points waits for a clock that is trusted: one that jumps has none expire', async () => {
    const clientId = await newClient(clocks.database.db);
    const account = newId();
    await clocks.database.db.unitOfWork(clientId, async (uow) => {
      const values = [clientId, account];
      await uow.query('insert into account (client_id, id) values ($1, $2)', values);
      await uow.query(
        `insert into point_lot (client_id, id, account_id, amount, remaining, expires_at, created_at)
         values ($1, $2, $2, 5, 5, now() + interval '30 days', now())`,
        values,
      );
      await uow.query(
        `insert into point_balance (client_id, account_id, available, spent, expired, lifetime_earned, next_expires_at)
         values ($1, $2, 5, 0, 0, 5, now() + interval '30 days')`,
        values,
      );
    });
    const inAYear = new Date(Date.now() + YEAR);
    const available = () =>
      clocks.database.db.unitOfWork(clientId, async (uow) => {
        const { balances } = await openLedger(uow, [account], inAYear);
        return balances.get(account)!.available;
      });
    const process = await watch();
    expect(await available()).toBe(50_000n);
    // A read does not wait for a locked account either: it has no expiry to record.
    const read = await clocks.database.db.unitOfWork(clientId, async (holder) => {
      await lockAccounts(holder, [account]);
      return clocks.database.db.unitOfWork(clientId, (uow) => settledBalance(uow, account, inAYear));
    });
    expect(read.available).toBe(50_000n);
    await process.stop();
    expect(await available()).toBe(0n);
  });

  test('by calls goes by the last moment that was trusted: a clock that jumps has no points expire', async () => {
    const before = new Date(Date.now() + YEAR);
    expect(latestTrustedTime(before)).toEqual(before);
    const process = await watch();
    await sleep(5);
    const now = new Date();
    expect(latestTrustedTime(now)).toEqual(now);
    // At once, before the first look.
    expect(Math.abs(latestTrustedTime(new Date(Date.now() + YEAR)).getTime() - Date.now())).toBeLessThan(1_000);
    clocks.ahead = { ...clocks.ahead, database: YEAR, machine: YEAR };
    await process.trustedNow();
    expect(Math.abs(latestTrustedTime(new Date(Date.now() + YEAR)).getTime() - Date.now())).toBeLessThan(1_000);
  });

  test('does not befall what calls recorded by a clock that was behind: its operation ids are kept as long as others', async () => {
    const clientId = await newClient(clocks.database.db);
    const operation = { ...claimOf('bought behind', 'a', []), response: Buffer.alloc(0), mayBeSecondUse: false };
    const kept = async () => {
      await clocks.database.db.unitOfWork(clientId, (uow) =>
        storeOperations(uow, [operation], new Date(Date.now() - YEAR)),
      );
      await deleteOldOperations(clocks.database.db, clientId, new Date(Date.now() - 30 * DAY));
      return sql(`delete from operation where client_id = $1 returning id`, [clientId]);
    };
    const process = await watch();
    expect(await kept()).toHaveLength(1);
    const now = new Date();
    expect(retentionStartOf(now)).toEqual(now);
    await process.stop();
    // The machine's clock is behind its last round.
    await sql('delete from housekeeping_round');
    await lastRound(0);
    clocks.ahead = { ...clocks.ahead, database: -YEAR, machine: -YEAR };
    expect((await watch()).doubt()).toMatchObject({ reason: 'FUTURE' });
    expect(await kept()).toHaveLength(1);
  });
});
