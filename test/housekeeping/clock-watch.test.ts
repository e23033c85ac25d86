import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockAccounts } from '../../src/accounts/resolve-accounts.ts';
import { clockDoubtCheck } from '../../src/housekeeping/clock/clock-doubt.check.ts';
import { clockCause } from '../../src/housekeeping/clock/clock-cause.ts';
import { type ClockWatch, type ClockWatchOptions, openClockWatch } from '../../src/housekeeping/clock/clock-watch.ts';
import { doubtMetrics } from '../../src/housekeeping/clock/doubt-metrics.ts';
import { onRound, storeConfirmation } from '../../src/housekeeping/clock/rounds.queries.ts';
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
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { inspect } from '../../src/persistence/checks/inspect.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

let database: TestDatabase;
/** What is added to the clocks of PostgreSQL, of the machine, and to the monotonic one. */
let ahead = { database: 0, machine: 0, uptime: 0 };
let watches: ClockWatch[] = [];
let log: Array<{ level: number; msg: string; reason?: string }> = [];

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  ahead = { database: 0, machine: 0, uptime: 0 };
  log = [];
  await sql('delete from housekeeping_round');
  await sql('update credential set last_used_at = null');
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
});
afterAll(() => database.drop());

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  database.db.systemUnitOfWork((uow) => uow.query<Row>(text, values));

/** The database with its clock set: what a statement reads of it is moved. */
function clocked(db: Database): Database {
  const moved = (uow: UnitOfWork): UnitOfWork => ({
    ...uow,
    async query(text, values) {
      const rows = await uow.query<Record<string, unknown>>(
        text.replaceAll('statement_timestamp()', `(statement_timestamp() + interval '${ahead.database} ms')`),
        values,
      );
      if (!text.includes('clock_timestamp()')) return rows as never;
      return rows.map((row) => ({ ...row, now: new Date((row['now'] as Date).getTime() + ahead.database) })) as never;
    },
  });
  return { ...db, unitOfWork: (clientId, work) => db.unitOfWork(clientId, (uow) => work(moved(uow))) };
}

/** A process that watches the clock. */
async function watch(options: Partial<ClockWatchOptions> = {}): Promise<ClockWatch> {
  const opened = await openClockWatch({
    db: clocked(database.db),
    logger: pino({}, { write: (line: string) => void log.push(JSON.parse(line)) }),
    everyMs: DAY,
    local: () => new Date(Date.now() + ahead.machine),
    uptime: () => performance.now() + ahead.uptime,
    ...options,
  });
  watches.push(opened);
  return opened;
}

/** Time goes by on all clocks. */
function pass(ms: number) {
  ahead = { database: ahead.database + ms, machine: ahead.machine + ms, uptime: ahead.uptime + ms };
}

const isTrusted = async (of: ClockWatch) => (await of.trustedNow()) !== undefined;

/** Leaves a last round of so many milliseconds ago. */
const lastRound = (ago: number) =>
  sql(
    `insert into housekeeping_round (client_id, last_round_at)
       values ('00000000-0000-0000-0000-000000000000', clock_timestamp() - $1 * interval '1 ms')`,
    [ago],
  );

describe('while it runs', () => {
  test('a clock that goes on as the monotonic one is trusted, also after a process stood still or a machine slept', async () => {
    const process = await watch();
    for (const ms of [MINUTE, 3 * HOUR, 12 * DAY]) {
      pass(ms);
      expect(await isTrusted(process)).toBe(true);
    }
    expect(log).toEqual([]);
  });

  test.each([2 * MINUTE, YEAR, -2 * MINUTE, -YEAR])('one that jumps by %d ms is not, until it is back', async (ms) => {
    const process = await watch();
    ahead = { ...ahead, database: ms, machine: ms };
    expect(await process.trustedNow()).toBeUndefined();
    expect(process.doubt()).toMatchObject({ reason: 'JUMPED' });
    pass(HOUR);
    expect(await isTrusted(process)).toBe(false);
    ahead = { ...ahead, database: HOUR, machine: HOUR };
    expect(await isTrusted(process)).toBe(true);
    expect(process.doubt()).toBeUndefined();
    expect(log.map(({ level, reason }) => [level, reason])).toEqual([
      [40, 'JUMPED'],
      [30, undefined],
    ]);
  });

  test('one that stands where it jumped to is trusted after 24 hours of running', async () => {
    const process = await watch();
    ahead = { ...ahead, database: YEAR, machine: YEAR };
    expect(await isTrusted(process)).toBe(false);
    pass(24 * HOUR - MINUTE);
    expect(await isTrusted(process)).toBe(false);
    pass(2 * MINUTE);
    expect(await isTrusted(process)).toBe(true);
  });

  test('one that differs from the machine’s is not, however long it does', async () => {
    const process = await watch();
    ahead = { ...ahead, machine: 2 * MINUTE };
    for (const ms of [0, HOUR, 3 * DAY]) {
      pass(ms);
      expect(await isTrusted(process)).toBe(false);
      expect(process.doubt()).toMatchObject({ reason: 'DIFFERS' });
    }
    ahead = { ...ahead, machine: ahead.database };
    expect(await isTrusted(process)).toBe(true);
  });

  test('clocks that drift by seconds a day are trusted, one that runs much faster is not', async () => {
    const process = await watch();
    for (let day = 1; day <= 20; day += 1) {
      pass(DAY);
      ahead = { ...ahead, database: ahead.database + 20_000, machine: ahead.machine + 20_000 };
      expect(await isTrusted(process)).toBe(true);
    }
    for (let minute = 1; minute <= 20; minute += 1) {
      pass(MINUTE);
      ahead = { ...ahead, database: ahead.database + 6_000, machine: ahead.machine + 6_000 };
      await process.trustedNow();
    }
    expect(await isTrusted(process)).toBe(false);
  });

  test('a reading during which the process stood still says nothing', async () => {
    const process = await watch();
    let isFrozen = true;
    const uptime = () => performance.now() + ahead.uptime;
    const frozen = await watch({
      uptime,
      db: {
        ...database.db,
        async unitOfWork(clientId, work) {
          const result = await database.db.unitOfWork(clientId, work);
          if (isFrozen && watches.length === 2) pass(HOUR);
          isFrozen = false;
          return result;
        },
      },
    });
    expect(frozen.doubt()).toBeUndefined();
    expect(process.doubt()).toBeUndefined();
  });

  test('what one process doubts another one tells, and goes on itself', async () => {
    const right = await watch();
    const wrong = await watch({ local: () => new Date(Date.now() + ahead.machine + 5 * MINUTE) });
    expect(wrong.doubt()).toMatchObject({ reason: 'DIFFERS' });
    expect(await isTrusted(right)).toBe(true);
    expect(right.doubt()).toMatchObject({ reason: 'DIFFERS' });
    await wrong.stop();
    pass(6 * MINUTE);
    await right.trustedNow();
    expect(right.doubt()).toBeUndefined();
  });

  test('what a process doubted by a clock that was ahead is told no more once it is right', async () => {
    const process = await watch();
    await sql(`update housekeeping_round set doubt = 'DIFFERS', doubt_since = clock_timestamp() + interval '1 year',
                      doubt_seen_at = clock_timestamp() + interval '1 year'`);
    await process.trustedNow();
    expect(process.doubt()).toBeUndefined();
  });
});

describe('at the start', () => {
  test('of a new database, and of one that was used an hour ago, it is trusted', async () => {
    expect((await watch()).doubt()).toBeUndefined();
    await sql('delete from housekeeping_round');
    await used(HOUR);
    expect((await watch()).doubt()).toBeUndefined();
    expect(log).toEqual([]);
  });

  test('of one of 0.1.0, which kept no last round, it is not where the last call lies a year back or ahead', async () => {
    await used(YEAR);
    expect((await watch()).doubt()).toMatchObject({ reason: 'AWAY' });
    await sql('delete from housekeeping_round');
    await used(-YEAR);
    expect((await watch()).doubt()).toMatchObject({ reason: 'FUTURE' });
  });

  test.each([
    [23 * HOUR, undefined],
    [2 * DAY, 'AWAY'],
    [YEAR, 'AWAY'],
    [-30_000, undefined],
    [-HOUR, 'FUTURE'],
  ])('after a last round %d ms ago it says %s', async (ago, reason) => {
    await lastRound(ago);
    const process = await watch();
    expect(process.doubt()?.reason).toBe(reason);
    expect(await isTrusted(process)).toBe(reason === undefined);
  });

  test('it is trusted after 24 hours of running, in one go or by the hour, of several processes as of one', async () => {
    await lastRound(7 * DAY);
    for (let hour = 0; hour < 20; hour += 1) {
      const process = await watch();
      expect(await isTrusted(process)).toBe(false);
      pass(HOUR);
      expect(await isTrusted(process)).toBe(false);
      await process.stop();
      // Until it is started again next week.
      ahead = { ...ahead, database: ahead.database + 6 * DAY, machine: ahead.machine + 6 * DAY };
    }
    const [one, other] = [await watch(), await watch()];
    for (let half = 1; half <= 7; half += 1) {
      pass(HOUR / 2);
      expect([await isTrusted(one), await isTrusted(other)]).toEqual([false, false]);
    }
    pass(HOUR);
    await one.trustedNow();
    expect([await isTrusted(one), await isTrusted(other)]).toEqual([true, true]);
    // A process that trusts it keeps that for those that start.
    expect((await watch()).doubt()).toBeUndefined();
  });

  test('the service’s own database may be away for a month', async () => {
    await lastRound(20 * DAY);
    expect((await watch({ awayMs: 30 * DAY })).doubt()).toBeUndefined();
  });

  test('a clock that was wrong and is put right is trusted at once', async () => {
    await lastRound(HOUR);
    ahead = { ...ahead, database: YEAR, machine: YEAR };
    const process = await watch();
    expect(process.doubt()).toMatchObject({ reason: 'AWAY' });
    ahead = { ...ahead, database: 0, machine: 0 };
    expect(await isTrusted(process)).toBe(true);
  });

  /** A credential of some client was used so long ago. */
  async function used(ago: number): Promise<void> {
    const clientId = await newClient(database.db);
    await sql(
      `insert into credential (client_id, id, kind, name, role, hash, last_four, last_used_at)
       values ($1, gen_random_uuid(), 'API_KEY', 'used', 'INTEGRATOR', '', 'last', clock_timestamp() - $2 * interval '1 ms')`,
      [clientId, ago],
    );
  }
});

describe("an operator's word", () => {
  const confirm = () => onRound(clocked(database.db), storeConfirmation);

  test.each(['JUMPED', 'AWAY', 'DIFFERS'])(
    'ends what is %s at processes that run, with their next look',
    async (reason) => {
      if (reason === 'AWAY') await lastRound(3 * DAY);
      const process = await watch();
      if (reason === 'JUMPED') ahead = { ...ahead, database: YEAR, machine: YEAR };
      if (reason === 'DIFFERS') ahead = { ...ahead, machine: 5 * MINUTE };
      expect(await isTrusted(process)).toBe(false);
      await confirm();
      expect(await isTrusted(process)).toBe(true);
      pass(HOUR);
      expect(await isTrusted(process)).toBe(true);
      // It was about the clocks as they are, and not about what comes after.
      ahead = { ...ahead, machine: ahead.machine + 3 * MINUTE, database: ahead.database - 3 * MINUTE };
      expect(await isTrusted(process)).toBe(false);
    },
  );

  test('is a command, which the audit log of every client has', async () => {
    await lastRound(3 * DAY);
    const clientId = await newClient(database.db);
    const process = await watch();
    expect(await isTrusted(process)).toBe(false);
    const main = join(import.meta.dirname, '../../src/main.ts');
    const env = { PATH: globalThis.process.env.PATH, DATABASE_URL: database.url, LAUREL_DATA: tmpdir() };
    const { stdout } = await promisify(execFile)(globalThis.process.execPath, [main, 'clock', 'confirm'], { env });
    expect(stdout).toMatch(/^PostgreSQL's clock says \S+Z, and is trusted from now on\.$/m);
    expect(await isTrusted(process)).toBe(true);
    const entries = await sql(
      `select 1 from audit_entry where client_id = $1 and operation = 'CommandLine.ConfirmClock' and actor_type = 'COMMAND_LINE'`,
      [clientId],
    );
    expect(entries).toHaveLength(1);
  });
});

describe('it is told', () => {
  test('by a gauge, by what needs attention and by the doctor, for as long as it lasts', async () => {
    const process = await watch();
    const check = clockDoubtCheck(DAY);
    const told = async () => {
      const registry = new Registry();
      doubtMetrics(registry, process);
      const [verdict] = await inspect(database.url, [check]);
      return {
        gauge: /reason="JUMPED"\} (\d)/.exec(await registry.metrics())?.[1],
        causes: await clockCause(process)({} as UnitOfWork, new Date()),
        findings: verdict!.findings.map(({ severity, problem }) => `${severity}: ${problem}`),
      };
    };
    expect(await told()).toEqual({ gauge: '0', causes: [], findings: [] });
    ahead = { ...ahead, database: -3 * MINUTE, machine: -3 * MINUTE };
    await process.trustedNow();
    expect(await told()).toEqual({
      gauge: '1',
      causes: [{ severity: 'URGENT', subject: 'JUMPED', since: expect.any(Date) }],
      findings: [
        expect.stringMatching(/^warning: Nothing is deleted or closed for good: PostgreSQL's clock has jumped/),
      ],
    });
    ahead = { ...ahead, database: 0, machine: 0 };
    await process.trustedNow();
    expect(await told()).toEqual({ gauge: '0', causes: [], findings: [] });
  });

  test('by the doctor also before a start that would wait', async () => {
    await lastRound(3 * DAY);
    const [verdict] = await inspect(database.url, [clockDoubtCheck(DAY)]);
    expect(verdict!.findings).toMatchObject([{ severity: 'warning', problem: expect.stringContaining('no process') }]);
  });
});

describe('what cannot be undone', () => {
  const RETENTION = { operationDays: 30, deliveryDays: 7, auditDays: 400, journalDays: 7 };
  const jobs = () =>
    scheduledJobs(RETENTION, {
      dispatcher: { wake() {} },
      parts: partsOfAccount,
      secrets: createSecretBox([Buffer.alloc(32, 1)]),
      alerts: { look: () => Promise.resolve(0) },
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

  /** Runs every job once or more often by a clock that is a year ahead. */
  async function keepHouse(trustedNow?: () => Promise<Date | undefined>): Promise<void> {
    const done = new Map<string, number>();
    const housekeeping = createHousekeeping({
      db: database.db,
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

  /** What is left of what every job may tidy. */
  async function tidied(trustedNow?: () => Promise<Date | undefined>): Promise<Record<string, number>> {
    const clientId = await newClient(database.db);
    const account = 'c5b0d3b4-7a8a-7c3e-8000-000000000001';
    const other = 'c5b0d3b4-7a8a-7c3e-8000-000000000002';
    await database.db.unitOfWork(clientId, async (uow) => {
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
    // Of 100 days ago: a year ahead it is older than is kept.
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
    await keepHouse(trustedNow);
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
    const clientId = await newClient(database.db);
    await database.db.systemUnitOfWork(async (uow) => {
      // As the login that migrated, whose the tables are.
      await uow.query('set local role none');
      await uow.query(`create table journal_batch_20250101 partition of journal_batch
                       for values from ('2025-01-01 00:00+00') to ('2025-01-02 00:00+00')`);
    });
    const run = (text: string) => database.db.unitOfWork(clientId, (uow) => uow.query(text, [clientId]));
    // One of a day that has its place, and one of a day that has none.
    for (const day of ['2025-01-01', '2025-01-02'])
      await run(`insert into journal_batch (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, entries)
                 values ($1, '${day} 12:00+00', '${newId()}', '{null}', '{OLD}', '{1}', '{}', '[[0, 0, 1, 0, 0, 0, 0]]')`);
    const left = () => run('select 1 from journal_batch where client_id = $1');
    await keepHouse(() => Promise.resolve(undefined));
    expect(await left()).toHaveLength(2);
    await keepHouse(() => Promise.resolve(new Date()));
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
      // Every job begins within a minute, one of those that ask within seconds.
      await expect.poll(() => asked, { timeout: 61_000 }).toBeGreaterThan(0);
    } finally {
      await service.close();
    }
  });

  test('by calls that change points waits for a clock that is trusted: one that jumps has none expire', async () => {
    const clientId = await newClient(database.db);
    const account = newId();
    await database.db.unitOfWork(clientId, async (uow) => {
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
      database.db.unitOfWork(clientId, async (uow) => {
        const { balances } = await openLedger(uow, [account], inAYear);
        return balances.get(account)!.available;
      });
    const process = await watch();
    expect(await available()).toBe(50_000n);
    // Nor does a read wait for an account that is held: there is nothing to enter.
    const read = await database.db.unitOfWork(clientId, async (holder) => {
      await lockAccounts(holder, [account]);
      return database.db.unitOfWork(clientId, (uow) => settledBalance(uow, account, inAYear));
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
    // At once, before anybody has looked.
    expect(Math.abs(latestTrustedTime(new Date(Date.now() + YEAR)).getTime() - Date.now())).toBeLessThan(1_000);
    ahead = { ...ahead, database: YEAR, machine: YEAR };
    await process.trustedNow();
    expect(Math.abs(latestTrustedTime(new Date(Date.now() + YEAR)).getTime() - Date.now())).toBeLessThan(1_000);
  });

  test('does not befall what calls recorded by a clock that was behind: its operation ids are kept as long as others', async () => {
    const clientId = await newClient(database.db);
    const operation = { ...claimOf('bought behind', 'a', []), response: Buffer.alloc(0), shared: false };
    const kept = async () => {
      await database.db.unitOfWork(clientId, (uow) => storeOperations(uow, [operation], new Date(Date.now() - YEAR)));
      await deleteOldOperations(database.db, clientId, new Date(Date.now() - 30 * DAY));
      return sql(`delete from operation where client_id = $1 returning id`, [clientId]);
    };
    const process = await watch();
    expect(await kept()).toHaveLength(1);
    const now = new Date();
    expect(retentionStartOf(now)).toEqual(now);
    await process.stop();
    // A machine that begins behind its last round.
    await sql('delete from housekeeping_round');
    await lastRound(0);
    ahead = { ...ahead, database: -YEAR, machine: -YEAR };
    expect((await watch()).doubt()).toMatchObject({ reason: 'FUTURE' });
    expect(await kept()).toHaveLength(1);
  });
});
