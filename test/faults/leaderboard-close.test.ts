// A run is closed by two hosts whose connections are cut again and again, while late events come, and by processes that are killed or
// frozen: its ranks are final once, and each prize is delivered once.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endsOfShares } from '../../src/leaderboards/ranks/distribution.queries.ts';
import { foldDeltas } from '../../src/leaderboards/ranks/fold-deltas.ts';
import { ranksOf } from '../../src/leaderboards/ranks/ranks.queries.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { differences } from '../operations/rewards/provision.ts';
import type { UnitOfWork } from '../../src/persistence/database.ts';
import { testDatabase } from '../support/database.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { LIMITS, randomNumbers, seed, shortOrLong } from './bounds.ts';
import { kill, runUpTo, startJob } from './support/jobs.ts';

type Json = RestAnswer['body'];

const ACCOUNTS = 500;
const UNITS = 30;

/** The shares whose ends are looked up. */
const SHARES = [0.01, 0.1, 0.5, 0.75, 1];

/** Ranges as small as these accounts need. */
const FOLDED = { arrivalsMax: 50, entriesMax: 50, shareMax: 0, rangesMax: 100 };

/** Milliseconds within which a closing process is killed at random: a transaction of the close takes some 100. */
const KILLED_WITHIN_MS = 150;

let service: TestService;
let other: TestService;
let operator: Client;
/** Reads as the service does. */
let reader: Client;
/** The process of the reader's connection, which is not cut. */
let readerPid: number;

const closing = () => ({ ...service, name: 'close leaderboards' }) as const;

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

const trigger = (who: number, amount: number, programmaticCode = 'RUN') => {
  return { programmaticCode, accountId: `${who}`, idType: 'EXTERNAL', metadata: { amount } };
};

/** Sends events to both hosts until `signal` aborts; a cut call may have counted or not. */
async function sendLate(signal: AbortSignal, programmaticCode = 'RUN'): Promise<void> {
  const hosts = [service.rest, restAs(other.baseUrl, service)];
  for (let call = 0; !signal.aborted; call += 1) {
    const triggers = Array.from({ length: 20 }, (_, index) =>
      trigger((call * 37 + index * 11) % ACCOUNTS, 3, programmaticCode),
    );
    await hosts[call % 2]!('POST', '/gamification/triggers/batch', { triggers });
  }
}

/**
 * Cuts the connections of both hosts that are in a transaction, at random moments, less and less often: on a busy machine, a transaction takes
 * longer than the first pauses.
 */
async function cut(signal: AbortSignal): Promise<number> {
  let cuts = 0;
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (25 + 5 * cuts)));
    const { rowCount } = await operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and pid <> $1 and xact_start is not null and random() < 0.5`,
      [readerPid],
    );
    cuts += rowCount ?? 0;
  }
  return cuts;
}

/** A leaderboard with ranges and ties, on which each account wins points and a medal, of which there are too few. */
async function everyoneWins(programmaticCode: string, code: string): Promise<{ id: string; runId: string }> {
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const statistic = { code, programmaticCode, aggregation: 'SUM', period: 'ALL_TIME' };
  await ok('POST', '/admin/statistic-definitions', { statisticDefinition: statistic });
  const product = await ok('POST', '/admin/products', { name: 'Medal', stockMode: 'COUNTED', stock: UNITS });
  const medal = { name: 'Medal', type: 'PRODUCTS', amount: 1, productId: product.id };
  const rewardIds = [
    (await ok('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 })).id,
    (await ok('POST', '/admin/rewards', medal)).id,
  ];
  const leaderboard = { name: 'Everyone wins', statisticCode: code, prizes: [{ topShare: 1, rewardIds }] };
  const { id } = await ok('POST', '/admin/leaderboards', { leaderboard });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  for (let first = 0; first < ACCOUNTS; first += 100) {
    // Seven values, so that many accounts share a rank.
    const triggers = Array.from({ length: 100 }, (_, index) =>
      trigger(first + index, 1 + ((first + index) % 7), programmaticCode),
    );
    await ok('POST', '/gamification/triggers/batch', { triggers });
  }
  await foldDeltas(service.db, service.clientId, FOLDED);
  const { run } = await ok('GET', `/v1/leaderboards/${id}`);
  return { id, runId: run.id };
}

const entriesOf = (id: string, runId: string) =>
  `/v1/leaderboards/${id}/runs/${runId}/entries/paginated?page=1&limit=1000`;

/** @param final the entries when the run became final */
async function expectPaidOnce(id: string, runId: string, final: Json[] | undefined): Promise<void> {
  const { rows } = await ok('GET', entriesOf(id, runId));
  expect(rows).toHaveLength(ACCOUNTS);
  if (final !== undefined) expect(rows).toEqual(final);
  const values = (rows as Json[]).map(({ value }) => value as number);
  expect((rows as Json[]).map(({ rank }) => rank)).toEqual(
    values.map((value) => 1 + values.filter((each) => each > value).length),
  );
  const { rows: prizes } = await reader.query(
    `select reward_id, status, count(*)::int as rewards, count(distinct account_id)::int as accounts
       from earned_reward where leaderboard_run_id = $1 group by reward_id, status order by status`,
    [runId],
  );
  const delivered = prizes.filter(({ status }) => status === 'DELIVERED').reduce((sum, each) => sum + each.rewards, 0);
  expect(delivered).toBe(ACCOUNTS + UNITS);
  for (const each of prizes) expect(each.rewards).toBe(each.accounts);
  expect(prizes.reduce((sum, each) => sum + each.rewards, 0)).toBe(2 * ACCOUNTS);
  const [closed] = (await ok('GET', `/v1/leaderboards/${id}/runs`)).rows;
  expect(closed).toMatchObject({ status: 'CLOSED', entries: ACCOUNTS, prizesDelivered: 2 * ACCOUNTS });
  expect(await differences(service.db, service.clientId)).toEqual([]);
}

test('a close that is cut again and again by two hosts delivers each prize once, and no late event moves its ranks', async () => {
  const { id, runId } = await everyoneWins('RUN', 'km');
  const path = entriesOf(id, runId);
  const ending = new AbortController();
  const noise = Promise.all([sendLate(ending.signal), cut(ending.signal)]);
  const isClosed = async () => {
    const { rows } = await reader.query('select status from leaderboard_run where id = $1', [runId]);
    return rows[0].status === 'CLOSED';
  };
  let final: Json[] | undefined;
  const close = async (host: TestService) => {
    while (!(await isClosed())) {
      await service.rest('POST', `/admin/leaderboards/${id}/runs/${runId}/close`, {});
      // A cut connection fails the job; its next round continues.
      await closeRuns(host.db, service.clientId, new Date()).catch(() => undefined);
      final ??= await finalRows();
    }
  };
  /** The entries once they are final. */
  const finalRows = async (): Promise<Json[] | undefined> => {
    const { rows } = await reader.query(`select from leaderboard_run where id = $1 and status <> 'OPEN'`, [runId]);
    const answer = rows.length === 0 ? undefined : await service.rest('GET', path);
    return answer?.status === 200 ? answer.body.rows : undefined;
  };
  await Promise.all([close(service), close(other)]);
  ending.abort();
  const [, cuts] = await noise;
  expect(cuts).toBeGreaterThan(3);

  await expectPaidOnce(id, runId, final);
}, 120_000);

test(
  'a close whose process is killed at any moment, or comes back when another one is done, delivers each prize once',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const { id, runId } = await everyoneWins('WALK', 'steps');
    const before: Json[] = (await ok('GET', entriesOf(id, runId))).rows;
    await reader.query(`update leaderboard_run set due_at = 'epoch' where id = $1`, [runId]);
    const statusIs = async (wanted: string) => {
      const { rows } = await reader.query('select status from leaderboard_run where id = $1', [runId]);
      expect(rows[0].status).toBe(wanted);
    };
    const upTo = (sql: string, values: readonly unknown[]) => runUpTo(closing(), { reader, operator }, sql, values);
    // As an event that writes an entry.
    const [first, leave] = await upTo('select from leaderboard_run where id = $1 for key share', [runId]);
    await kill(first);
    await leave();
    await statusIs('OPEN');
    const late = { triggers: Array.from({ length: 50 }, (_, index) => trigger(index * 7, 100, 'WALK')) };
    const kills = shortOrLong(4, 12);
    const placed = (part: number) => [before[Math.floor(part * (ACCOUNTS - 1))]!.accountId];
    const lock = 'select from account where id = $1 for update';
    for (let killed = 1; killed < kills; killed += 1) {
      const [child, release] = await upTo(lock, placed(killed / kills));
      // Between two steps of its transaction, which waits for an account, and at the moment at which it continues.
      if (killed % 2 > 0) await kill(child);
      await release();
      await kill(child);
      await statusIs('CLOSING');
      await ok('POST', '/gamification/triggers/batch', late);
    }
    const [frozen, release] = await upTo(lock, placed(1));
    frozen.kill('SIGSTOP');
    await release();
    // PostgreSQL ends the frozen transaction, which holds the run, after a second; 15 in production.
    await expect
      .poll(() => closeRuns(other.db, service.clientId, new Date()).catch(() => 0), { timeout: 30_000 })
      .toBeGreaterThan(0);
    await statusIs('CLOSED');
    const ended = once(frozen, 'exit');
    frozen.kill('SIGCONT');
    expect((await ended)[0]).toBe(0);
    await expectPaidOnce(id, runId, before);
  },
);

test(
  'closes whose processes are killed at random moments deliver each prize once',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const random = randomNumbers(seed);
    const kills = shortOrLong(3, 10);
    let killed = 0;
    for (let board = 1; killed < kills; board += 1) {
      const { id, runId } = await everyoneWins(`SKI_${board}`, `runs_${board}`);
      const before: Json[] = (await ok('GET', entriesOf(id, runId))).rows;
      await reader.query(`update leaderboard_run set due_at = 'epoch' where id = $1`, [runId]);
      for (let isDone = false; !isDone;) {
        const child = await startJob(closing());
        if (killed < kills) {
          await sleep(random() * KILLED_WITHIN_MS);
          await kill(child);
        } else await once(child, 'exit');
        isDone = child.signalCode !== 'SIGKILL';
        if (!isDone) killed += 1;
      }
      await expectPaidOnce(id, runId, before);
    }
  },
);

test(
  'a close that waits for its run ends without a prize, if the run is cancelled or closed meanwhile',
  { timeout: 2 * LIMITS.timeout },
  async () => {
    const { id, runId } = await everyoneWins('ROW', 'strokes');
    const [best]: Json[] = (await ok('GET', entriesOf(id, runId))).rows;
    const upTo = (sql: string, values: readonly unknown[]) => runUpTo(closing(), { reader, operator }, sql, values);
    const endsWithout = async (status: string) => {
      await reader.query(`update leaderboard_run set due_at = 'epoch' where id = $1`, [runId]);
      const [child, release] = await upTo('update leaderboard_run set status = $2, due_at = null where id = $1', [
        runId,
        status,
      ]);
      const ended = once(child, 'exit');
      await release('commit');
      expect((await ended)[0]).toBe(0);
      const { rows } = await reader.query(
        `select status, (select count(*)::int from earned_reward where leaderboard_run_id = r.id) as prizes
           from leaderboard_run r where id = $1`,
        [runId],
      );
      expect(rows).toEqual([{ status, prizes: 0 }]);
    };
    await endsWithout('CANCELLED');
    await reader.query(`update leaderboard_run set status = 'OPEN', due_at = 'epoch' where id = $1`, [runId]);
    const [child, release] = await upTo('select from account where id = $1 for update', [best.accountId]);
    await kill(child);
    await release();
    await endsWithout('CLOSED');
  },
);

test(
  'ranks that are read while events and folds move them are those of counting in the same snapshot',
  LIMITS,
  async () => {
    const { runId } = await everyoneWins('SWIM', 'laps');
    const ending = new AbortController();
    const fold = async () => {
      while (!ending.signal.aborted) {
        await foldDeltas(other.db, service.clientId, FOLDED);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const noise = Promise.all([sendLate(ending.signal, 'SWIM'), fold()]);
    const query = async (sql: string, values: readonly unknown[]) => (await reader.query(sql, [...values])).rows;
    const uow = { clientId: service.clientId, query } as unknown as UnitOfWork;
    let compared = 0;
    let unfolded = 0;
    while (compared < shortOrLong(2_000, 10_000)) {
      await reader.query('begin isolation level repeatable read');
      const counted = await query(
        `select score, count(*)::int as entries from leaderboard_entry
        where run_id = $1 and is_member and is_ranked group by score order by score`,
        [runId],
      );
      const [{ deltas }] = await query('select count(*)::int as deltas from leaderboard_delta where run_id = $1', [
        runId,
      ]);
      const scores = counted.map(({ score }) => BigInt(score));
      const ranks = await ranksOf(uow, runId, scores);
      const { entries: counts, ends } = await endsOfShares(uow, runId, SHARES);
      await reader.query('commit');
      let better = 0;
      for (const [index, { entries }] of counted.entries()) {
        expect(ranks[index]).toBe(1 + better);
        better += entries;
      }
      expect(better).toBe(ACCOUNTS);
      expect(counts).toBe(ACCOUNTS);
      for (const { place, score } of ends) {
        const first = ranks[scores.indexOf(score)]!;
        expect(place).toBeGreaterThanOrEqual(first);
        expect(place).toBeLessThan(first + counted[scores.indexOf(score)].entries);
      }
      compared += ranks.length;
      unfolded += deltas;
    }
    ending.abort();
    await noise;
    // Otherwise the ranges alone would have all ranks.
    expect(unfolded).toBeGreaterThan(0);
  },
);
