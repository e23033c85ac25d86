import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { clockDoubtCheck } from '../../src/housekeeping/clock/clock-doubt.check.ts';
import { clockCause } from '../../src/housekeeping/clock/clock-cause.ts';
import { doubtMetrics } from '../../src/housekeeping/clock/doubt-metrics.ts';
import { onRound, storeConfirmation } from '../../src/housekeeping/clock/rounds.queries.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { inspect } from '../../src/persistence/checks/inspect.ts';
import { newClient } from '../support/database.ts';
import { DAY, HOUR, MINUTE, YEAR, watchedClocks } from './watched-clocks.ts';

const clocks = watchedClocks();
const { sql, watch, pass, isTrusted, lastRound, clocked } = clocks;

describe('while it runs', () => {
  test('a clock that goes on as the monotonic one is trusted, also after a process stood still or a machine slept', async () => {
    const process = await watch();
    for (const ms of [MINUTE, 3 * HOUR, 12 * DAY]) {
      pass(ms);
      expect(await isTrusted(process)).toBe(true);
    }
    expect(clocks.log).toEqual([]);
  });

  test.each([2 * MINUTE, YEAR, -2 * MINUTE, -YEAR])('one that jumps by %d ms is not, until it is back', async (ms) => {
    const process = await watch();
    clocks.ahead = { ...clocks.ahead, database: ms, machine: ms };
    expect(await process.trustedNow()).toBeUndefined();
    expect(process.doubt()).toMatchObject({ reason: 'JUMPED' });
    pass(HOUR);
    expect(await isTrusted(process)).toBe(false);
    clocks.ahead = { ...clocks.ahead, database: HOUR, machine: HOUR };
    expect(await isTrusted(process)).toBe(true);
    expect(process.doubt()).toBeUndefined();
    expect(clocks.log.map(({ level, reason }) => [level, reason])).toEqual([
      [40, 'JUMPED'],
      [30, undefined],
    ]);
  });

  test('one that stands where it jumped to is trusted after 24 hours of running', async () => {
    const process = await watch();
    clocks.ahead = { ...clocks.ahead, database: YEAR, machine: YEAR };
    expect(await isTrusted(process)).toBe(false);
    pass(24 * HOUR - MINUTE);
    expect(await isTrusted(process)).toBe(false);
    pass(2 * MINUTE);
    expect(await isTrusted(process)).toBe(true);
  });

  test('one that differs from the machine’s is not, however long it does', async () => {
    const process = await watch();
    clocks.ahead = { ...clocks.ahead, machine: 2 * MINUTE };
    for (const ms of [0, HOUR, 3 * DAY]) {
      pass(ms);
      expect(await isTrusted(process)).toBe(false);
      expect(process.doubt()).toMatchObject({ reason: 'DIFFERS' });
    }
    clocks.ahead = { ...clocks.ahead, machine: clocks.ahead.database };
    expect(await isTrusted(process)).toBe(true);
  });

  test('clocks that drift by seconds a day are trusted, one that runs much faster is not', async () => {
    const process = await watch();
    for (let day = 1; day <= 20; day += 1) {
      pass(DAY);
      clocks.ahead = {
        ...clocks.ahead,
        database: clocks.ahead.database + 20_000,
        machine: clocks.ahead.machine + 20_000,
      };
      expect(await isTrusted(process)).toBe(true);
    }
    for (let minute = 1; minute <= 20; minute += 1) {
      pass(MINUTE);
      clocks.ahead = {
        ...clocks.ahead,
        database: clocks.ahead.database + 6_000,
        machine: clocks.ahead.machine + 6_000,
      };
      await process.trustedNow();
    }
    expect(await isTrusted(process)).toBe(false);
  });

  test('a reading during which the process stood still says nothing', async () => {
    const process = await watch();
    let isFrozen = true;
    const db = clocked();
    const frozen = await watch({
      db: {
        ...db,
        // Between the reads of the machine's clock and of PostgreSQL's clock.
        unitOfWork(clientId, work) {
          if (isFrozen) pass(HOUR);
          isFrozen = false;
          return db.unitOfWork(clientId, work);
        },
      },
    });
    expect(isFrozen).toBe(false);
    expect(frozen.doubt()).toBeUndefined();
    expect(process.doubt()).toBeUndefined();
  });

  test('what one process doubts another one tells, and goes on itself', async () => {
    const right = await watch();
    const wrong = await watch({ local: () => new Date(Date.now() + clocks.ahead.machine + 5 * MINUTE) });
    expect(wrong.doubt()).toMatchObject({ reason: 'DIFFERS' });
    expect(await isTrusted(right)).toBe(true);
    expect(right.doubt()).toMatchObject({ reason: 'DIFFERS' });
    await wrong.stop();
    pass(6 * MINUTE);
    await right.trustedNow();
    expect(right.doubt()).toBeUndefined();
  });

  test('what a process doubted by a clock that was ahead is no longer reported once it is right', async () => {
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
    expect(clocks.log).toEqual([]);
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
      // Until its next start, a week later.
      clocks.ahead = {
        ...clocks.ahead,
        database: clocks.ahead.database + 6 * DAY,
        machine: clocks.ahead.machine + 6 * DAY,
      };
    }
    const [one, other] = [await watch(), await watch()];
    for (let half = 1; half <= 7; half += 1) {
      pass(HOUR / 2);
      expect([await isTrusted(one), await isTrusted(other)]).toEqual([false, false]);
    }
    pass(HOUR);
    await one.trustedNow();
    expect([await isTrusted(one), await isTrusted(other)]).toEqual([true, true]);
    // A process that trusts the clock stores this for later starts.
    expect((await watch()).doubt()).toBeUndefined();
  });

  test('the service’s own database may be away for a month', async () => {
    await lastRound(20 * DAY);
    expect((await watch({ awayMs: 30 * DAY })).doubt()).toBeUndefined();
  });

  test('a clock that was wrong and is put right is trusted at once', async () => {
    await lastRound(HOUR);
    clocks.ahead = { ...clocks.ahead, database: YEAR, machine: YEAR };
    const process = await watch();
    expect(process.doubt()).toMatchObject({ reason: 'AWAY' });
    clocks.ahead = { ...clocks.ahead, database: 0, machine: 0 };
    expect(await isTrusted(process)).toBe(true);
  });

  /** The last use of a client's credential, some time ago. */
  async function used(ago: number): Promise<void> {
    const clientId = await newClient(clocks.database.db);
    await sql(
      `insert into credential (client_id, id, kind, name, role, hash, last_four, last_used_at)
       values ($1, gen_random_uuid(), 'API_KEY', 'used', 'INTEGRATOR', '', 'last', clock_timestamp() - $2 * interval '1 ms')`,
      [clientId, ago],
    );
  }
});

describe("an operator's word", () => {
  const confirm = () => onRound(clocked(), storeConfirmation);

  test.each(['JUMPED', 'AWAY', 'DIFFERS'])(
    'ends what is %s at processes that run, with their next look',
    async (reason) => {
      if (reason === 'AWAY') await lastRound(3 * DAY);
      const process = await watch();
      if (reason === 'JUMPED') clocks.ahead = { ...clocks.ahead, database: YEAR, machine: YEAR };
      if (reason === 'DIFFERS') clocks.ahead = { ...clocks.ahead, machine: 5 * MINUTE };
      expect(await isTrusted(process)).toBe(false);
      await confirm();
      expect(await isTrusted(process)).toBe(true);
      pass(HOUR);
      expect(await isTrusted(process)).toBe(true);
      // The confirmation was for the present clocks, not for later changes.
      clocks.ahead = {
        ...clocks.ahead,
        machine: clocks.ahead.machine + 3 * MINUTE,
        database: clocks.ahead.database - 3 * MINUTE,
      };
      expect(await isTrusted(process)).toBe(false);
    },
  );

  test('is a command, which the audit log of every client has', async () => {
    await lastRound(3 * DAY);
    const clientId = await newClient(clocks.database.db);
    const process = await watch();
    expect(await isTrusted(process)).toBe(false);
    const main = join(import.meta.dirname, '../../src/main.ts');
    const env = { PATH: globalThis.process.env.PATH, DATABASE_URL: clocks.database.url, LAUREL_DATA: tmpdir() };
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

describe('it is reported', () => {
  test('by a gauge, by what needs attention and by the doctor, for as long as it lasts', async () => {
    const process = await watch();
    const check = clockDoubtCheck(DAY);
    const reports = async () => {
      const registry = new Registry();
      doubtMetrics(registry, process);
      const [verdict] = await inspect(clocks.database.url, [check]);
      return {
        gauge: /reason="JUMPED"\} (\d)/.exec(await registry.metrics())?.[1],
        causes: await clockCause(process)({} as UnitOfWork, new Date()),
        findings: verdict!.findings.map(({ severity, problem }) => `${severity}: ${problem}`),
      };
    };
    expect(await reports()).toEqual({ gauge: '0', causes: [], findings: [] });
    clocks.ahead = { ...clocks.ahead, database: -3 * MINUTE, machine: -3 * MINUTE };
    await process.trustedNow();
    expect(await reports()).toEqual({
      gauge: '1',
      causes: [{ severity: 'URGENT', subject: 'JUMPED', since: expect.any(Date) }],
      findings: [
        expect.stringMatching(/^warning: Nothing is deleted or closed for good: PostgreSQL's clock has jumped/),
      ],
    });
    clocks.ahead = { ...clocks.ahead, database: 0, machine: 0 };
    await process.trustedNow();
    expect(await reports()).toEqual({ gauge: '0', causes: [], findings: [] });
  });

  test('by the doctor also before a start that would wait', async () => {
    await lastRound(3 * DAY);
    const [verdict] = await inspect(clocks.database.url, [clockDoubtCheck(DAY)]);
    expect(verdict!.findings).toMatchObject([{ severity: 'warning', problem: expect.stringContaining('no process') }]);
  });
});
