import { ranksOf } from '../../src/leaderboards/ranks/ranks.queries.ts';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { type Game, measureEvents } from '../expressions/events.ts';
import { EVENTS_PER_BATCH, type OrderOptions } from '../expressions/order-requests.ts';
import { createAccounts, createWorld, type World } from '../expressions/world.ts';
import { accountIdOf } from '../growth/accounts.ts';
import { whole } from '../report.ts';
import { startLoad } from '../support/load.ts';
import { restCalls } from '../support/rest-calls.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import closing from './closing.ts';
import manyBoards from './many-boards.ts';
import { BOARD, RANKED, SCORE, setUpBoards, verifyApplied } from './ranked-boards.ts';

/** Events per second that move the board, and requests in flight. */
const RATE = 2_000;
const CONNECTIONS = 8;

/** Milliseconds of a rank under load, p99. */
const WANTED = 8;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** Ranks that are compared with counting. */
const COMPARED = 100;

const game: Game = { missions: 1, hasConditions: false, audience: 'EVERYONE', statistics: [SCORE] };

const leaderboards: readonly Benchmark[] = [
  {
    name: 'leaderboards:events',
    about:
      'Events applied per second that move a statistic with a leaderboard, 200 in each REST request, against the same statistic without one.',
    aim: 0.85,
    run: (settings) => measureEvents(settings, { ours: { ...game, leaderboard: BOARD }, reference: game }),
  },
  {
    name: 'leaderboards:rank',
    about: `Milliseconds of a rank with its neighbours on a board of ${whole(RANKED)} over REST, p99, at ${whole(RATE)} events a second, against ${WANTED}.`,
    aim: 1,
    lessIsBetter: true,
    run: (settings) =>
      measureRanks(settings, ({ times, top, details }) => {
        return {
          unit: 'ms',
          ours: p99(times),
          reference: WANTED,
          details: { ...details, 'top 100, p99': `${p99(top).toFixed(1)} ms` },
        };
      }),
  },
  {
    name: 'leaderboards:counting',
    about: `Milliseconds to count the better accounts of ${whole(RANKED)}, against the rank by ranges in the same run, both under load.`,
    aim: 50,
    run: (settings) =>
      measureRanks(settings, ({ counted, ranked, details }) => {
        return { unit: 'ms', ours: median(counted), reference: median(ranked), details };
      }),
  },
  ...manyBoards,
  ...closing,
];

export default leaderboards;

/** Milliseconds of each call: the account with its neighbours, the top of the board, and both ways of a rank in SQL. */
type Measured = Readonly<Record<'times' | 'top' | 'ranked' | 'counted', readonly number[]>> & {
  readonly details: Readonly<Record<string, string>>;
};

function measureRanks({ rounds, seconds }: Settings, resultOf: (measured: Measured) => Result): Promise<Result> {
  return withWorkbench('leaderboards', async (workbench) => {
    const world = await createWorld(workbench, 'ranked');
    await createAccounts(world, RANKED, 2);
    const { boardId, runId } = await setUpBoards(world);
    const sourceOptions: OrderOptions = { apiKey: world.apiKey, accountCount: RANKED };
    const source = import.meta.resolve('../expressions/order-requests.ts');
    const { run, stop } = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
    workbench.cleanUps.push(stop);
    let answered = (await run({ connections: CONNECTIONS, seconds: WARM_UP })).answered;
    const measured = { times: [], top: [], ranked: [], counted: [] } as Record<
      'times' | 'top' | 'ranked' | 'counted',
      number[]
    >;
    const api = restCalls(world.baseUrl, world.apiKey);
    const load = run({ connections: CONNECTIONS, seconds: rounds * seconds, rate: RATE / EVENTS_PER_BATCH });
    const end = performance.now() + rounds * seconds * 1_000 - 500;
    while (performance.now() < end) {
      const accountId = accountIdOf(Math.floor(Math.random() * RANKED));
      measured.times.push(await timeOf(() => api('GET', `/v1/accounts/${accountId}/leaderboards/${boardId}?around=5`)));
      measured.top.push(
        await timeOf(() => api('GET', `/v1/leaderboards/${boardId}/entries/paginated?page=1&limit=100`)),
      );
      if (measured.times.length % 50 > 0) continue;
      const score = -BigInt(Math.floor(Math.random() * RANKED)) * 10_000n;
      measured.ranked.push(
        await timeOf(() => world.db.unitOfWork(world.clientId, (uow) => ranksOf(uow, runId, [score]))),
      );
      measured.counted.push(await timeOf(() => count(world, runId, score)));
    }
    answered += (await load).answered;
    await verifyApplied(world, answered * EVENTS_PER_BATCH);
    await compare(world, runId);
    return resultOf({
      ...measured,
      details: {
        calls: `${whole(measured.times.length)} of each, one after the other`,
        'rank in SQL, p50': `${median(measured.ranked).toFixed(1)} ms, by counting ${median(measured.counted).toFixed(0)} ms`,
        verified: `${COMPARED} ranks after the load are those of counting`,
      },
    });
  });
}

async function count({ db, clientId }: World, runId: string, score: bigint): Promise<number> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ rank: number }>(
      `select 1 + count(*)::int as rank from leaderboard_entry
        where client_id = $1 and run_id = $2 and is_member and is_ranked and score < $3::bigint`,
      [clientId, runId, score],
    ),
  );
  return row!.rank;
}

/** @throws Error unless ranks are those of counting; nothing moves meanwhile */
async function compare(world: World, runId: string): Promise<void> {
  const scores = Array.from({ length: COMPARED }, () => -BigInt(Math.floor(Math.random() * RANKED)) * 10_000n);
  const ranks = await world.db.unitOfWork(world.clientId, (uow) => ranksOf(uow, runId, scores));
  for (const [index, score] of scores.entries()) {
    const counted = await count(world, runId, score);
    if (counted !== ranks[index])
      throw new Error(`The rank of ${score} is ${ranks[index]}, and ${counted} by counting.`);
  }
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
}
