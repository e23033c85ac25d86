import type { Result, Settings } from '../benchmark.ts';
import type { OrderOptions } from '../expressions/order-requests.ts';
import { createAccounts, createWorld, type World } from '../expressions/world.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { startLoad } from '../support/load.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { RANKED, setUpBoards, verifyApplied } from './ranked-boards.ts';

/** The share of the accounts that win. */
const WINNERS_SHARE = 0.01;

/** Milliseconds for the close of each account: ten million in two minutes. */
const WANTED_MS = 0.012;

/** Single events per second meanwhile, and requests in flight. */
const RATE = 300;
const CONNECTIONS = 16;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** Seconds of events in one measurement of the p99, during the close. */
const PART_S = 5;

export default measuredTogether(
  'leaderboards:closing',
  {
    duration: {
      about: `Milliseconds of the close of a board of ${whole(RANKED)} accounts with prizes for ${WINNERS_SHARE * 100} %, beside ${whole(RATE)} events a second, against ${WANTED_MS * 1_000} µs an account.`,
      aim: 1,
      lessIsBetter: true,
    },
    latency: {
      about: `Milliseconds to the answer at ${whole(RATE)} events a second over REST, p99, during that close, against the same before it.`,
      aim: 1.5,
      lessIsBetter: true,
    },
  },
  (settings) => withWorkbench('closing', (workbench) => measure(workbench, settings)),
);

async function measure(
  workbench: Workbench,
  { rounds, seconds }: Settings,
): Promise<Record<'duration' | 'latency', Result>> {
  const world = await createWorld(workbench, 'closing');
  await createAccounts(world, RANKED, 2);
  const reward = await world.admin('POST', '/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const { boardId, runId } = await setUpBoards(world, [
    { topShare: WINNERS_SHARE, ties: 'FIRST', rewardIds: [reward.id] },
  ]);
  const sourceOptions: OrderOptions = { apiKey: world.apiKey, accountCount: RANKED, isSingle: true };
  const source = import.meta.resolve('../expressions/order-requests.ts');
  const { run, stop } = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
  workbench.cleanUps.push(stop);
  let answered = (await run({ connections: CONNECTIONS, seconds: WARM_UP })).answered;
  /** Events at the rate. @returns their p99 */
  const events = async (forSeconds: number) => {
    const report = await run({ connections: CONNECTIONS, seconds: forSeconds, rate: RATE });
    answered += report.answered;
    return report.p99;
  };
  const calm: number[] = [];
  for (let round = 0; round < rounds; round += 1) calm.push(await events(seconds));
  const begun = performance.now();
  await world.admin('POST', `/admin/leaderboards/${boardId}/runs/${runId}/close`, {});
  const during: number[] = [];
  const loading = (async () => {
    while (!(await isClosed(world, boardId))) during.push(await events(PART_S));
  })();
  while (!(await isClosed(world, boardId))) await new Promise((resolve) => setTimeout(resolve, 50));
  const took = performance.now() - begun;
  await loading;
  await verifyApplied(world, answered);
  const prizes = await verify(world, runId);
  return {
    duration: {
      ...{ unit: 'ms', ours: took, reference: WANTED_MS * RANKED },
      details: { prizes: `${whole(prizes)}, each once`, 'with the wait': 'for housekeeping, which looks every 15 s' },
    },
    latency: {
      ...{ unit: 'ms', ours: median(during), reference: median(calm) },
      details: { measurements: `${during.length} of ${PART_S} s during the close` },
    },
  };
}

async function isClosed({ admin }: World, boardId: string): Promise<boolean> {
  const { rows } = await admin<{ rows: readonly { status: string }[] }>('GET', `/v1/leaderboards/${boardId}/runs`);
  return rows[0]!.status === 'CLOSED';
}

/** @returns the number of prizes @throws Error unless each winner has the prize once */
async function verify({ db, clientId }: World, runId: string): Promise<number> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ prizes: number; accounts: number }>(
      `select count(*)::int as prizes, count(distinct account_id)::int as accounts from earned_reward where leaderboard_run_id = $1`,
      [runId],
    ),
  );
  const wanted = Math.ceil(RANKED * WINNERS_SHARE);
  if (row?.prizes === wanted && row.accounts === wanted) return wanted;
  throw new Error(`There are ${JSON.stringify(row)} prizes instead of ${wanted}.`);
}
