// The close of a run with leagues by processes that are killed at chosen moments, or frozen: groups, moves between leagues and prizes are
// those of a leaderboard over the same statistic whose close nobody disturbs.
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePlaces } from '../../src/leaderboards/leagues/give-places.ts';
import { closeRuns } from '../../src/leaderboards/runs/close-runs.ts';
import { ok } from '../support/administration.ts';
import { differences } from '../operations/rewards/provision.ts';
import { startService, type TestService } from '../support/service.ts';
import { LIMITS, shortOrLong } from './bounds.ts';
import { kill, runUpTo } from './support/jobs.ts';

const ACCOUNTS = 660;
/** A transaction of the close settles one group of this size. */
const LEAGUES = { names: ['Bronze', 'Silver', 'Gold'], groupSize: 110, promoted: 30, relegated: 20 };
const DAY_MS = 86_400_000;

let service: TestService;
let operator: Client;
let reader: Client;
/** The clock of the service; the processes that close have the machine's. */
let now = Date.now() - 2 * DAY_MS;

const closing = () => ({ ...service, name: 'close leaderboards' }) as const;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
  operator = new Client({ connectionString: service.databaseUrl });
  reader = new Client({ connectionString: service.databaseUrl });
  await Promise.all([operator.connect(), reader.connect()]);
  await reader.query(`select set_config('laurel.client_id', $1, false)`, [service.clientId]);
  await reader.query('set role laurel_app');
});
afterAll(async () => {
  await Promise.all([operator.end(), reader.end()]);
  await service.close();
});

const post = (path: string, body: unknown = {}) => ok(service.rest('POST', path, body));

async function rowsOf(sql: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  return (await reader.query(sql, [...values])).rows;
}

/** An event and the sum of its amounts by day. */
async function setUp(programmaticCode: string, code: string): Promise<void> {
  await post('/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const statisticDefinition = { code, programmaticCode, aggregation: 'SUM', period: 'DAY' };
  await post('/admin/statistic-definitions', { statisticDefinition });
}

/** Everyone wins in each group, so that a prize given twice is seen. */
async function newLeaderboard(name: string, statisticCode: string, rewardIds: readonly string[] = []): Promise<string> {
  const prizes =
    rewardIds.length === 0 ? [] : LEAGUES.names.map((_, index) => ({ topShare: 1, league: index + 1, rewardIds }));
  const { id } = await post('/admin/leaderboards', {
    leaderboard: { name, statisticCode, leagues: LEAGUES, prizes },
  });
  await post(`/admin/leaderboards/${id}/activate`);
  return id;
}

/** A day on which accounts move. */
async function moveAll(programmaticCode: string, day: number, accounts = ACCOUNTS): Promise<void> {
  for (let first = 0; first < accounts; first += 110) {
    const triggers = Array.from({ length: 110 }, (_, index) => {
      const amount = 1 + (((first + index) * (17 + day)) % 331);
      return { programmaticCode, accountId: `${first + index}`, idType: 'EXTERNAL', metadata: { amount } };
    });
    await post('/gamification/triggers/batch', { triggers });
  }
}

/** Lets the close of a leaderboard's only open run be due, for any clock. */
async function makeDue(leaderboardId: string): Promise<string> {
  const [run] = await rowsOf(
    `update leaderboard_run set due_at = 'epoch' where leaderboard_id = $1 and status = 'OPEN' returning id`,
    [leaderboardId],
  );
  return run?.['id'] as string;
}

async function closeUndisturbed(leaderboardId: string): Promise<string> {
  const runId = await makeDue(leaderboardId);
  await closeRuns(service.db, service.clientId, new Date('2000-01-01'));
  return runId;
}

/** The accounts' groups, results, leagues and prizes after the close of a run. */
async function resultOf(leaderboardId: string, runId: unknown) {
  const [run] = await rowsOf(
    'select status, entries, promoted, relegated, prizes_delivered from leaderboard_run where id = $1',
    [runId],
  );
  const places = await rowsOf(
    'select account_id, league, group_number, outcome, final_rank from leaderboard_place where run_id = $1 order by account_id',
    [runId],
  );
  const leagues = await rowsOf(
    'select account_id, league from leaderboard_standing where leaderboard_id = $1 order by account_id',
    [leaderboardId],
  );
  const prizes = await rowsOf(
    'select account_id, reward_id, status from earned_reward where leaderboard_run_id = $1 order by account_id',
    [runId],
  );
  return { run, places, leagues, prizes };
}

test(
  'a close with leagues whose process is killed at any moment, or comes back when another one is done, moves each account once',
  { timeout: 6 * LIMITS.timeout },
  async () => {
    await setUp('RUN', 'km');
    const reward = await post('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 });
    const disturbed = await newLeaderboard('Disturbed', 'km', [reward.id]);
    const calm = await newLeaderboard('Calm', 'km', [reward.id]);
    await moveAll('RUN', 1);
    for (const leaderboardId of [disturbed, calm]) await closeUndisturbed(leaderboardId);
    now += DAY_MS;
    await moveAll('RUN', 2);
    const calmRun = await closeUndisturbed(calm);
    const expected = await resultOf(calm, calmRun);
    // Two leagues have groups, and accounts move both ways.
    const counts = { entries: ACCOUNTS, prizes_delivered: ACCOUNTS, promoted: 200, relegated: 40 };
    expect(expected.run).toEqual({ status: 'CLOSED', ...counts });

    const runId = await makeDue(disturbed);
    const upTo = (sql: string, values: readonly unknown[]) => runUpTo(closing(), { reader, operator }, sql, values);
    const statusIs = async (status: string) =>
      expect(await rowsOf('select status from leaderboard_run where id = $1', [runId])).toEqual([{ status }]);
    const lockRun = 'select from leaderboard_run where id = $1 for update';
    const [first, leave] = await upTo(lockRun, [runId]);
    await kill(first);
    await leave();
    await statusIs('OPEN');

    const groups = [...new Map(expected.places.map((place) => [keyOf(place), place]))]
      .toSorted(([one], [other]) => one - other)
      .map(([, place]) => place['account_id']);
    expect(groups).toHaveLength(7);
    const lock = 'select from account where id = $1 for update';
    const moments = groups.slice(0, -1).filter((_, index) => index % shortOrLong(2, 1) === 0);
    for (const [index, accountId] of moments.entries()) {
      const [child, release] = await upTo(lock, [accountId]);
      // Within the transaction of its group, or while it continues.
      if (index % 2 === 0) await kill(child);
      await release();
      await kill(child);
      await statusIs('CLOSING');
    }
    const [frozen, release] = await upTo(lock, [groups.at(-1)]);
    frozen.kill('SIGSTOP');
    await release();
    // PostgreSQL ends the frozen transaction, which holds the run, after a second; 15 in production.
    await expect
      .poll(() => closeRuns(service.db, service.clientId, new Date()).catch(() => 0), { timeout: 30_000 })
      .toBeGreaterThan(0);
    await statusIs('CLOSED');
    const ended = once(frozen, 'exit');
    frozen.kill('SIGCONT');
    expect((await ended)[0]).toBe(0);

    expect(await resultOf(disturbed, runId)).toEqual(expected);
    expect(await differences(service.db, service.clientId)).toEqual([]);
  },
);

test('a run that is due before an earlier one of its leaderboard lets it close first, because it decides the leagues', async () => {
  now = Date.now() - DAY_MS;
  await setUp('WALK', 'steps');
  const leaderboardId = await newLeaderboard('Steps', 'steps');
  await moveAll('WALK', 1, 220);
  now += DAY_MS;
  await moveAll('WALK', 2, 220);
  const [earlier, later] = await rowsOf('select id from leaderboard_run where leaderboard_id = $1 order by period', [
    leaderboardId,
  ]);
  await reader.query(`update leaderboard_run set due_at = 'epoch' where id = $1`, [later!['id']]);
  await closeRuns(service.db, service.clientId, new Date('2000-01-01'));
  expect((await resultOf(leaderboardId, earlier!['id'])).run).toMatchObject({ status: 'CLOSED', promoted: 60 });
  const { places } = await resultOf(leaderboardId, later!['id']);
  expect(places.filter(({ league }) => league === 2)).toHaveLength(60);
});

test('an account that a merge has brought into a higher league stays there, when the group of its lower league is settled', async () => {
  now = Date.now() - DAY_MS;
  await setUp('SWIM', 'laps');
  const leaderboardId = await newLeaderboard('Laps', 'laps');
  await moveAll('SWIM', 1, 220);
  await closeUndisturbed(leaderboardId);
  now += DAY_MS;
  await moveAll('SWIM', 2, 220);
  await givePlaces(service.db, service.clientId);
  /** The account of a league that has done least: a merge with the other one does not promote it. */
  const leastOf = async (league: number) => {
    const [least] = await rowsOf(
      `select e.account_id from leaderboard_entry e
         join leaderboard_run r on r.id = e.run_id and r.leaderboard_id = $1 and r.status = 'OPEN'
         left join leaderboard_standing s on s.account_id = e.account_id and s.leaderboard_id = $1
        where coalesce(s.league, 1) = $2 order by e.score desc limit 1`,
      [leaderboardId, league],
    );
    return least!['account_id'] as string;
  };
  const [bronze, silver] = [await leastOf(1), await leastOf(2)];
  await post(`/accounts/${silver}/merge`, { intoAccountId: bronze, progress: 'SUM' });
  const second = await closeUndisturbed(leaderboardId);
  const { places, leagues: after } = await resultOf(leaderboardId, second);
  expect(places.find((place) => place['account_id'] === bronze)).toMatchObject({ league: 1, outcome: 'KEPT' });
  expect(after.find((each) => each['account_id'] === bronze)).toMatchObject({ league: 2 });
});

/** The order in which groups are settled. */
function keyOf({ league, group_number: group }: Record<string, unknown>): number {
  return Number(league) * 1_000 + Number(group);
}
