// Jobs in processes that are killed, frozen, and cut at a commit, while another host runs them too: runs at risk are announced once, and past
// events count once, and who has reached a lowered target is paid once.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { clientsWithDueStreaks, reviewStreaks } from '../../src/campaigns/streak-risks/review-streaks.ts';
import { clientsWithPast } from '../../src/statistics/definitions/past-events.queries.ts';
import { clientsWithReached } from '../../src/campaigns/missions/reached-targets.queries.ts';
import { completeReachedTargets } from '../../src/triggers/complete-reached.ts';
import { countPastEvents } from '../../src/triggers/count-past-events.ts';
import { differences } from '../operations/rewards/provision.ts';
import { testDatabase } from '../support/database.ts';
import { type RestAnswer, startService, type TestService } from '../support/service.ts';
import { COMMIT, type SeveringProxy, severingProxy } from '../support/severing-proxy.ts';
import { LIMITS, shortOrLong } from './bounds.ts';
import type { JobName } from './support/job-process.ts';
import { kill, runUpTo } from './support/jobs.ts';

type Json = RestAnswer['body'];

const HOUR = 3_600_000;

/** The processes that end badly. */
const KILLS = shortOrLong(4, 12);

/** Accounts: each process has time for three transactions of 50 before it is killed. */
const ACCOUNTS = shortOrLong(600, 1_900);

let service: TestService;
let other: TestService;
let proxy: SeveringProxy;
let operator: Client;
/** Locks rows as the service does. */
let reader: Client;

beforeAll(async () => {
  const database = await testDatabase();
  service = await startService({ database });
  // The first one drops the database.
  other = await startService({ database: { ...database, drop: async () => {} } });
  proxy = await severingProxy(service.databaseUrl);
  operator = new Client({ connectionString: service.databaseUrl });
  await operator.connect();
  reader = new Client({ connectionString: service.databaseUrl });
  await reader.connect();
  await reader.query(`select set_config('laurel.client_id', $1, false)`, [service.clientId]);
  await reader.query('set role laurel_app');
});
afterAll(async () => {
  // As autovacuum does: in the long form, plans for empty tables take minutes.
  await operator.query('analyze');
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await operator.end();
  await reader.end();
  await proxy.close();
  await other.close();
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** Sends an event of a code for each account. */
async function sendAll(programmaticCode: string, fields: Json): Promise<void> {
  for (let first = 0; first < ACCOUNTS; first += 100) {
    const triggers = Array.from({ length: 100 }, (_, index) => {
      return { programmaticCode, accountId: `${first + index}`, idType: 'EXTERNAL', ...fields };
    });
    const { results } = await ok('POST', '/gamification/triggers/batch', { triggers });
    expect((results as Json[]).filter(({ error }) => error !== undefined)).toEqual([]);
  }
}

/** A job, and the rows that it locks. */
type BadJob = {
  readonly name: JobName;
  /** SQL of the ids of the rows that are still due, in the order in which the job locks them. */
  readonly due: string;
  readonly table: 'account' | 'statistic_definition';
  /** The due rows for which the job has a transaction. */
  readonly perTransaction: number;
  /** The beginning of a statement that each of its transactions sends. */
  readonly written: string;
  /** Runs the job on the other host; returns whether nothing is due any more. */
  readonly finish: () => Promise<boolean>;
};

/** Runs a job in processes that are killed or cut amid it, and in one that freezes until another host has done the work. */
async function runBadly({ name, due, table, perTransaction, written, finish }: BadJob): Promise<void> {
  /** Runs the job until it waits in its second transaction, or a later one. */
  async function upTo(databaseUrl = service.databaseUrl) {
    const { rows } = await reader.query<{ id: string }>(`${due} offset ${perTransaction} limit 1`);
    const job = { name, databaseUrl, clientId: service.clientId };
    return runUpTo(job, { reader, operator }, `select from ${table} where id = $1 for update`, [rows[0]?.id]);
  }
  for (let killed = 1; killed < KILLS; killed += 1) {
    // Its first transaction is cut at its commit, and repeated: the database has committed it, or not.
    proxy.severAt(COMMIT, killed % 2 === 0 ? 'unheard' : 'answered', written);
    const [child, release] = await upTo(proxy.url);
    expect(proxy.armed).toBe(false);
    // Amid a transaction, which waits for a row, and at the moment at which it continues.
    if (killed % 2 > 0) await kill(child);
    await release();
    await kill(child);
  }
  const [frozen, release] = await upTo();
  frozen.kill('SIGSTOP');
  await release();
  // PostgreSQL ends the frozen transaction after a second; 15 in production.
  await expect.poll(finish, { timeout: 30_000 }).toBe(true);
  expect(await endOf(frozen)).toBe(0);
}

/** Wakes a process. @returns its exit code */
async function endOf(frozen: ChildProcess): Promise<number> {
  const ended = once(frozen, 'exit');
  frozen.kill('SIGCONT');
  return (await ended)[0];
}

const isDone = async (due: Promise<string[]>) => !(await due).includes(service.clientId);

test('each run at risk is announced once', { timeout: 4 * LIMITS.timeout }, async () => {
  // Noon of the client, so that yesterday was 23 hours ago. A changed zone would leave the day in progress its end.
  const hours = 12 - new Date().getUTCHours();
  const timeZone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  await reader.query('update client set time_zone = $1 where id = $2', [timeZone, service.clientId]);
  const path = `/admin/clients/${service.clientId}`;
  const { version, name } = await ok('GET', path);
  await ok('PUT', path, { version, name, timeZone, streaks: { atRiskHours: 48, atRiskLength: 1 } });
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const endpoint = { name: 'App', url: 'http://127.0.0.1:9/', types: ['STREAK_AT_RISK'] };
  await ok('POST', '/webhooks/endpoints', { endpoint });
  const { id: audienceId } = await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const mission = { type: 'STREAK', name: 'Every day', programmaticCode: 'LOGIN', endless: true };
  const startsAt = new Date(Date.now() - 30 * HOUR).toISOString();
  await ok('POST', '/admin/missions', { audienceId, mission: { ...mission, startsAt } });
  await sendAll('LOGIN', { occurredAt: new Date(Date.now() - 23 * HOUR).toISOString() });

  await runBadly({
    name: 'announce streaks at risk',
    due: 'select account_id as id from streak_risk where next_at <= now() order by next_at, account_id',
    table: 'account',
    perTransaction: 50,
    written: 'update streak_risk',
    async finish() {
      await reviewStreaks(other.db, service.clientId, new Date(), createCatalogs()).catch(() => 0);
      return isDone(other.db.systemUnitOfWork((uow) => clientsWithDueStreaks(uow, new Date())));
    },
  });

  // The dispatcher moves a webhook that it could not deliver.
  const { rows } = await reader.query<{ body: string }>(
    'select body from outbox_message union all select body from webhook_retry',
  );
  const announced = rows.map(({ body }) => JSON.parse(body).data.accountId as string);
  expect(announced).toHaveLength(ACCOUNTS);
  expect(new Set(announced).size).toBe(ACCOUNTS);
});

test('each past event counts once', { timeout: 4 * LIMITS.timeout }, async () => {
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT' });
  for (const amount of [1, 2, 4]) await sendAll('ORDER', { metadata: { amount } });
  const values = { COUNT: 3, DAYS: 1, MAX: 4, SUM: 7 };
  const aggregations = Object.keys(values);
  for (let index = 0; index < 2 * KILLS; index += 1) {
    const aggregation = aggregations[index % aggregations.length]!;
    const statistic = { code: `past_${index}`, programmaticCode: 'ORDER', aggregation, period: 'ALL_TIME' };
    await ok('POST', '/admin/statistic-definitions', { statisticDefinition: { ...statistic, countsPastEvents: true } });
  }
  await runBadly({
    name: 'count past events',
    due: 'select id from statistic_definition where fill_due_at <= now() order by id',
    table: 'statistic_definition',
    perTransaction: 1,
    written: 'into account_statistic_event',
    async finish() {
      await countPastEvents(other.db, service.clientId, new Date(), createCatalogs()).catch(() => 0);
      return isDone(other.db.systemUnitOfWork((uow) => clientsWithPast(uow, new Date())));
    },
  });
  expect(await countPastEvents(other.db, service.clientId, new Date(Date.now() + HOUR), createCatalogs())).toBe(0);
  const { rows } = await reader.query(
    `select f.code, f.aggregation, s.value::float, count(*)::int as accounts
       from account_statistic s join statistic_definition f on f.id = s.statistic_id group by 1, 2, 3`,
  );
  expect(rows).toHaveLength(2 * KILLS);
  for (const { aggregation, value, accounts } of rows)
    expect({ value, accounts }, aggregation).toEqual({
      value: values[aggregation as keyof typeof values],
      accounts: ACCOUNTS,
    });
});

test('each account that has reached a lowered target is paid once', { timeout: 4 * LIMITS.timeout }, async () => {
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'SALE', type: 'AMOUNT' });
  const { id: audienceId } = await ok('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' });
  const { id: rewardId } = await ok('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 });
  const mission = { type: 'MISSION', name: 'Ten', programmaticCode: 'SALE', target: 10, rewardIds: [rewardId] };
  const { id } = await ok('POST', '/admin/missions', { audienceId, mission });
  await sendAll('SALE', { metadata: { amount: 9 } });
  const { reachedAccounts } = await ok('POST', `/admin/missions/${id}/improve`, { version: 1, target: 8 });
  expect(reachedAccounts).toBe(ACCOUNTS);

  await runBadly({
    name: 'complete lowered missions',
    due: `select account_id as id from assignment where mission_id = '${id}' and status = 'ACTIVE' order by account_id`,
    table: 'account',
    perTransaction: 50,
    written: 'into assignment',
    async finish() {
      await completeReachedTargets(other.db, service.clientId, new Date(), createCatalogs()).catch(() => 0);
      return isDone(other.db.systemUnitOfWork((uow) => clientsWithReached(uow, new Date())));
    },
  });
  expect(await completeReachedTargets(other.db, service.clientId, new Date(Date.now() + HOUR), createCatalogs())).toBe(
    0,
  );
  const { rows } = await reader.query(
    `select count(*)::int as rewards, count(distinct account_id)::int as accounts from earned_reward where mission_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ rewards: ACCOUNTS, accounts: ACCOUNTS }]);
});
