// A run is closed by two hosts whose connections are cut again and again, while late events come: its ranks are final once, and each prize
// is delivered once.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldDeltas } from '../../src/leaderboards/ranks/fold-deltas.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { differences } from '../operations/rewards/provision.ts';
import { testDatabase } from '../support/database.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';

type Json = RestAnswer['body'];

const ACCOUNTS = 500;
const UNITS = 30;

let service: TestService;
let other: TestService;
let operator: Client;
/** Reads as the service does. */
let reader: Client;
/** The process of the reader's connection, which is not cut. */
let readerPid: number;

beforeAll(async () => {
  const database = await testDatabase();
  service = await startService({ database });
  // The first one drops the database.
  other = await startService({ database: { ...database, drop: async () => {} } });
  operator = new Client({ connectionString: service.databaseUrl });
  await operator.connect();
  reader = new Client({ connectionString: service.databaseUrl });
  await reader.connect();
  const { rows } = await reader.query(`select set_config('laurel.client_id', $1, false), pg_backend_pid() as pid`, [
    service.clientId,
  ]);
  readerPid = rows[0].pid;
  await reader.query('set role laurel_app');
});
afterAll(async () => {
  await operator.end();
  await reader.end();
  await other.close();
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const trigger = (who: number, amount: number) => {
  return { programmaticCode: 'RUN', accountId: `${who}`, idType: 'EXTERNAL', metadata: { amount } };
};

/** Sends events to both hosts until `signal` aborts; a cut call may have counted or not. */
async function sendLate(signal: AbortSignal): Promise<void> {
  const hosts = [service.rest, restAs(other.baseUrl, service)];
  for (let call = 0; !signal.aborted; call += 1) {
    const triggers = Array.from({ length: 20 }, (_, index) => trigger((call * 37 + index * 11) % ACCOUNTS, 3));
    await hosts[call % 2]!('POST', '/gamification/triggers/batch', { triggers });
  }
}

/** Cuts the connections of both hosts that are in a transaction, at random moments. */
async function cut(signal: AbortSignal): Promise<number> {
  let cuts = 0;
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
    const { rowCount } = await operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and pid <> $1 and xact_start is not null and random() < 0.5`,
      [readerPid],
    );
    cuts += rowCount ?? 0;
  }
  return cuts;
}

test('a close that is cut again and again by two hosts delivers each prize once, and no late event moves its ranks', async () => {
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'RUN', type: 'AMOUNT' });
  const statistic = { code: 'km', programmaticCode: 'RUN', aggregation: 'SUM', period: 'ALL_TIME' };
  await ok('POST', '/admin/statistic-definitions', { statisticDefinition: statistic });
  const product = await ok('POST', '/admin/products', { name: 'Medal', stockMode: 'COUNTED', stock: UNITS });
  const medal = { name: 'Medal', type: 'PRODUCTS', amount: 1, productId: product.id };
  const rewardIds = [
    (await ok('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 })).id,
    (await ok('POST', '/admin/rewards', medal)).id,
  ];
  const leaderboard = { name: 'Everyone wins', statisticCode: 'km', prizes: [{ topShare: 1, rewardIds }] };
  const { id } = await ok('POST', '/admin/leaderboards', { leaderboard });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  for (let first = 0; first < ACCOUNTS; first += 100) {
    // Seven values, so that many accounts share a rank.
    const triggers = Array.from({ length: 100 }, (_, index) => trigger(first + index, 1 + ((first + index) % 7)));
    await ok('POST', '/gamification/triggers/batch', { triggers });
  }
  await foldDeltas(service.db, service.clientId, { entriesMax: 50, rangesMax: 100 });
  const { run } = await ok('GET', `/v1/leaderboards/${id}`);
  const path = `/v1/leaderboards/${id}/runs/${run.id}/entries/paginated?page=1&limit=1000`;

  const ending = new AbortController();
  const noise = Promise.all([sendLate(ending.signal), cut(ending.signal)]);
  const isClosed = async () => {
    const { rows } = await reader.query('select status from leaderboard_run where id = $1', [run.id]);
    return rows[0].status === 'CLOSED';
  };
  let final: Json[] | undefined;
  const close = async (host: TestService) => {
    while (!(await isClosed())) {
      await service.rest('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, {});
      // A cut connection fails the job; its next round continues.
      await closeRuns(host.db, service.clientId, new Date()).catch(() => undefined);
      final ??= await finalRows();
    }
  };
  /** The entries once they are final. */
  const finalRows = async (): Promise<Json[] | undefined> => {
    const { rows } = await reader.query(`select from leaderboard_run where id = $1 and status <> 'OPEN'`, [run.id]);
    const answer = rows.length === 0 ? undefined : await service.rest('GET', path);
    return answer?.status === 200 ? answer.body.rows : undefined;
  };
  await Promise.all([close(service), close(other)]);
  ending.abort();
  const [, cuts] = await noise;
  expect(cuts).toBeGreaterThan(3);

  const { rows } = await ok('GET', path);
  expect(rows).toHaveLength(ACCOUNTS);
  if (final !== undefined) expect(rows).toEqual(final);
  const values = (rows as Json[]).map(({ value }) => value as number);
  expect((rows as Json[]).map(({ rank }) => rank)).toEqual(
    values.map((value) => 1 + values.filter((each) => each > value).length),
  );
  const { rows: prizes } = await reader.query(
    `select reward_id, status, count(*)::int as rewards, count(distinct account_id)::int as accounts
       from earned_reward where leaderboard_run_id = $1 group by reward_id, status order by status`,
    [run.id],
  );
  const delivered = prizes.filter(({ status }) => status === 'DELIVERED').reduce((sum, each) => sum + each.rewards, 0);
  expect(delivered).toBe(ACCOUNTS + UNITS);
  for (const each of prizes) expect(each.rewards).toBe(each.accounts);
  expect(prizes.reduce((sum, each) => sum + each.rewards, 0)).toBe(2 * ACCOUNTS);
  const [closed] = (await ok('GET', `/v1/leaderboards/${id}/runs`)).rows;
  expect(closed).toMatchObject({ status: 'CLOSED', entries: ACCOUNTS, prizesDelivered: 2 * ACCOUNTS });
  expect(await differences(service.db, service.clientId)).toEqual([]);
}, 120_000);
