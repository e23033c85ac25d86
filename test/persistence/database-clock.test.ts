import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../src/kernel/time/clock.ts';
import { openDatabaseClock } from '../../src/persistence/watches/database-clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const MINUTES = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A machine's clock that is some milliseconds ahead. */
const ahead =
  (ms: () => number): Clock =>
  () =>
    new Date(Date.now() + ms());

async function open(local: Clock, everyMs?: number, logEveryMs?: number) {
  const lines: Array<{ level: number; skewMs?: number; msg: string }> = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, clock: await openDatabaseClock({ db: database.db, logger, local, everyMs, logEveryMs }) };
}

/** The test's server runs on the same machine as the test. */
const distance = (now: Date) => Math.abs(now.getTime() - Date.now());

test.each([5 * MINUTES, -5 * MINUTES, 0])(
  'a machine that is %d ms ahead shows the time of the database',
  async (ms) => {
    const { clock, lines } = await open(ahead(() => ms));
    expect(distance(clock.now())).toBeLessThan(1_000);
    expect(Math.abs(clock.skewMs() - ms)).toBeLessThan(1_000);
    expect(lines).toEqual(
      ms === 0
        ? []
        : [expect.objectContaining({ level: 40, skewMs: expect.any(Number), msg: expect.stringMatching(/NTP/) })],
    );
    await clock.stop();
  },
);

test('a clock that is set while the service runs is followed, and both are logged', async () => {
  let ms = 0;
  const { clock, lines } = await open(
    ahead(() => ms),
    20,
  );
  ms = 3 * MINUTES;
  await expect.poll(() => distance(clock.now()), { timeout: 5_000 }).toBeLessThan(1_000);
  ms = 0;
  await expect.poll(() => distance(clock.now()), { timeout: 5_000 }).toBeLessThan(1_000);
  expect(lines.map(({ level }) => level)).toEqual([40, 30]);
  await clock.stop();
});

test('a skew that remains is logged again and again, but not with every measurement', async () => {
  const { clock, lines } = await open(
    ahead(() => 3 * MINUTES),
    5,
    200,
  );
  const begun = performance.now();
  await expect.poll(() => lines.length, { timeout: 5_000, interval: 5 }).toBeGreaterThanOrEqual(3);
  expect(performance.now() - begun).toBeGreaterThan(350);
  expect(lines.every(({ level }) => level === 40)).toBe(true);
  await clock.stop();
});

test('a slow round trip does not make the clock jump', async () => {
  const slow = {
    ...database.db,
    systemUnitOfWork: ((work) =>
      database.db.systemUnitOfWork((uow) =>
        work({
          ...uow,
          async query(sql, values) {
            const rows = await uow.query(sql, values);
            if (sql.includes('clock_timestamp')) await sleep(delay);
            return rows as never;
          },
        }),
      )) as typeof database.db.systemUnitOfWork,
  };
  let delay = 0;
  const clock = await openDatabaseClock({ db: slow, logger: pino({ level: 'silent' }), everyMs: 10 });
  const before = clock.skewMs();
  delay = 300;
  await sleep(400);
  expect(Math.abs(clock.skewMs() - before)).toBeLessThan(50);
  await clock.stop();
});
