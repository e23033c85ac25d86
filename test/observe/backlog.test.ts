import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backlogs } from '../../src/app/backlogs.ts';
import { newId } from '../../src/kernel/ids.ts';
import { backlogMetrics, COUNTED_MAX } from '../../src/persistence/watches/backlog.ts';
import { createClientRates, SHOWN_MAX } from '../../src/server/client-rates.ts';
import { type IsWritten, logSampling } from '../../src/server/http/access-log.ts';
import { createRefusalLog } from '../../src/server/http/limits/refusal-log.ts';
import { createMetricsSum } from '../../src/commands/serving/metrics-sum.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let clientId: string;

beforeAll(async () => {
  database = await testDatabase();
  clientId = await newClient(database.db);
});
afterAll(() => database.drop());

async function scraped() {
  const registry = new Registry();
  backlogMetrics(registry, database.db, backlogs);
  const text = await registry.metrics();
  return {
    registry,
    text,
    value: (name: string) => Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]),
  };
}

/** An event that was accepted `seconds` ago. */
async function accept(client: string, count: number, seconds: number, dead = false): Promise<void> {
  await database.db.unitOfWork(client, (uow) =>
    uow.query(
      `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, dead_at)
       select $1, gen_random_uuid(), 'LOGIN', 'a', 'EXTERNAL', now(), now() - $3 * interval '1 s', case when $4 then now() end
         from generate_series(1, $2::int)`,
      [client, count, seconds, dead],
    ),
  );
}

test('nothing waits: every queue says 0, and when it was read', async () => {
  const { value, text } = await scraped();
  for (const { queue } of backlogs) expect(value(`laurel_backlog_items{queue="${queue}"}`), text).toBe(0);
  expect(value('laurel_backlog_oldest_seconds{queue="inbox"}')).toBe(0);
  expect(Math.abs(value('laurel_backlog_read_timestamp_seconds') - Date.now() / 1_000)).toBeLessThan(60);
});

test('the oldest of all clients counts, dead triggers stand apart, and 10,000 stands for more', async () => {
  const other = await newClient(database.db);
  await accept(clientId, 3, 10);
  await accept(other, 2, 500);
  await accept(other, 4, 0, true);
  const few = await scraped();
  expect(few.value('laurel_backlog_items{queue="inbox"}')).toBe(5);
  expect(few.value('laurel_backlog_items{queue="dead_triggers"}')).toBe(4);
  expect(few.value('laurel_backlog_oldest_seconds{queue="inbox"}')).toBeGreaterThan(499);
  expect(few.value('laurel_backlog_oldest_seconds{queue="inbox"}')).toBeLessThan(560);
  await accept(clientId, COUNTED_MAX + 500, 0);
  expect((await scraped()).value('laurel_backlog_items{queue="inbox"}')).toBe(COUNTED_MAX);
});

test('a database that is away leaves what was read before, and the moment of it', async () => {
  const registry = new Registry();
  backlogMetrics(registry, { systemUnitOfWork: () => Promise.reject(new Error('away')) }, backlogs);
  expect(await registry.metrics()).toMatch(/laurel_backlog_read_timestamp_seconds 0/);
});

test('two processes that both read it are not added up', async () => {
  const [one, two] = [await scraped(), await scraped()];
  const text = await createMetricsSum().text(
    [await one.registry.getMetricsAsJSON(), await two.registry.getMetricsAsJSON()],
    [],
  );
  expect(text).toContain('laurel_backlog_items{queue="dead_triggers"} 4\n');
});

test('clients with the most are shown by id, all others as one, and memory is bounded', () => {
  let now = 0;
  const rates = createClientRates(() => now);
  for (let client = 0; client < 50_000; client += 1)
    rates.count(client < SHOWN_MAX ? `large-${client}` : newId(), client < SHOWN_MAX ? 600 : 1);
  now = 60_000;
  const shown = rates.perSecond();
  expect(shown.size).toBe(SHOWN_MAX + 1);
  expect(shown.get('large-3')).toBe(10);
  expect(shown.get('other')).toBeCloseTo((50_000 - SHOWN_MAX) / 60);
  now = 300_000;
  expect([...rates.perSecond()]).toEqual([['other', 0]]);
});

test('of lines about calls that went well a share is written, of failures and slow calls all', () => {
  const refused = createRefusalLog(pino({ level: 'silent' }));
  const [sampled, whole] = [logSampling(refused, 0.01), logSampling(refused)];
  const caller = { code: undefined, clientId: 'shop', credentialId: 'till' };
  const written = (isWritten: IsWritten, call: { status: number; ms: number }) =>
    Array.from({ length: 1_000 }, () => isWritten({ ...caller, ...call })).filter(Boolean).length;
  expect(written(sampled, { status: 200, ms: 3 })).toBeGreaterThanOrEqual(9);
  expect(written(sampled, { status: 200, ms: 3 })).toBeLessThanOrEqual(11);
  expect(written(sampled, { status: 503, ms: 3 })).toBe(1_000);
  expect(written(sampled, { status: 200, ms: 1_500 })).toBe(1_000);
  expect(written(whole, { status: 200, ms: 1 })).toBe(1_000);
});

test('refused calls of a credential and code have a hundred lines a minute, and then one with the number of the others', () => {
  const lines: Array<Record<string, unknown>> = [];
  const refused = createRefusalLog(pino({}, { write: (line) => void lines.push(JSON.parse(line)) }));
  const isWritten = logSampling(refused);
  const written = (times: number, call: { credentialId: string; code: string; status: number }) =>
    Array.from({ length: times }, () => isWritten({ clientId: 'shop', ms: 1, ...call })).filter(Boolean).length;
  const unknown = { credentialId: 'till', code: 'EVENT_DEFINITION_NOT_FOUND', status: 404 };
  expect(written(1_000, unknown)).toBe(100);
  expect(written(3, { ...unknown, code: 'BAD_REQUEST', status: 400 })).toBe(3);
  expect(written(3, { ...unknown, credentialId: 'app' })).toBe(3);
  expect(lines).toEqual([]);
  refused.flush();
  expect(lines).toMatchObject([{ ...unknown, clientId: 'shop', calls: 900 }]);
  expect(written(100, unknown)).toBe(100);
  refused.flush();
  expect(lines).toHaveLength(1);
});
