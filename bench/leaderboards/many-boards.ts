import type { Result, Settings } from '../benchmark.ts';
import { EVENT_CODE, EVENTS_PER_BATCH, type OrderOptions } from '../expressions/order-requests.ts';
import { createAccounts, createWorld, type World } from '../expressions/world.ts';
import { accountIdOf } from '../growth/accounts.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { inTurns } from '../support/in-turns.ts';
import { startLoad } from '../support/load.ts';
import { processMetrics } from '../support/process-metrics.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { RANKED, setUpBoards, setUpManyBoards, verifyApplied } from './ranked-boards.ts';

/** The most boards of a client. */
const BOARDS = Number(process.env['LAUREL_BENCH_BOARDS'] ?? 10_000);

/** Requests at a time. */
const CONNECTIONS = 4;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** Events that are taken back in a measurement. */
const REVERSED = 40;

const ABOUT = `${whole(BOARDS)} boards that have ${whole(RANKED)} accounts together, against one board of as many accounts.`;

export default measuredTogether(
  'leaderboards:many',
  {
    events: {
      about: `Events applied per second that move one of ${ABOUT}`,
      aim: 0.8,
    },
    reads: {
      about: `Ranks with their neighbours per second over REST, one after the other, on one of ${ABOUT}`,
      aim: 0.8,
    },
    reversals: {
      about: `Milliseconds of a reversal that moves one of ${ABOUT}`,
      aim: 1.25,
      lessIsBetter: true,
    },
  },
  (settings) => withWorkbench('many-boards', (workbench) => measure(workbench, settings)),
);

/** What one side did in a turn: rates of a second, microseconds of the service's processor time, and milliseconds. */
type Measured = Readonly<Record<'events' | 'micros' | 'reads' | 'reversals', number>>;

type Side = {
  measure(seconds: number): Promise<Measured>;
  verify(): Promise<void>;
};

async function measure(
  workbench: Workbench,
  settings: Settings,
): Promise<Record<'events' | 'reads' | 'reversals', Result>> {
  const one = await sideOf(workbench, 'one', async (world) => [(await setUpBoards(world)).boardId]);
  const many = await sideOf(workbench, 'many', (world) => setUpManyBoards(world, BOARDS));
  for (const side of [one, many]) await side.measure(WARM_UP);
  const turns = await inTurns(settings, one.measure, many.measure);
  for (const side of [one, many]) await side.verify();
  const all = (side: keyof typeof turns, figure: keyof Measured) => turns[side].map((each) => each[figure]);
  const resultOf = (figure: 'events' | 'reads' | 'reversals', unit: string): Result => ({
    unit,
    ours: median(all('ours', figure)),
    reference: median(all('reference', figure)),
    details: { 'ratio of a round': describeRatios(all('ours', figure), all('reference', figure)) },
  });
  const events = resultOf('events', 'events/s');
  const micros = describeRatios(all('ours', 'micros'), all('reference', 'micros'));
  return {
    events: { ...events, details: { ...events.details, 'ratio of the processor time': micros } },
    reads: resultOf('reads', 'reads/s'),
    reversals: resultOf('reversals', 'ms'),
  };
}

/** A service whose accounts are on boards. @param setUp creates them; the account of a number is on the board of it modulo their number */
async function sideOf(
  workbench: Workbench,
  name: string,
  setUp: (world: World) => Promise<readonly string[]>,
): Promise<Side> {
  const world = await createWorld(workbench, name);
  await createAccounts(world, RANKED, 2);
  const boardIds = await setUp(world);
  const sourceOptions: OrderOptions = { apiKey: world.apiKey, accountCount: RANKED };
  const source = import.meta.resolve('../expressions/order-requests.ts');
  const load = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
  workbench.cleanUps.push(load.stop);
  const api = restCalls(world.baseUrl, world.apiKey);
  let applied = 0;
  return {
    async measure(seconds) {
      const before = await processMetrics(world.baseUrl);
      const report = await load.run({ connections: CONNECTIONS, seconds });
      const spent = (await processMetrics(world.baseUrl)).processorSeconds - before.processorSeconds;
      const events = report.answered * EVENTS_PER_BATCH;
      const reads = await readRanks(api, boardIds, seconds / 2);
      const reversals = await reverseEvents(api);
      applied += events + REVERSED;
      return { events: report.perSecond * EVENTS_PER_BATCH, micros: (spent * 1e6) / events, reads, reversals };
    },
    verify: () => verifyApplied(world, applied),
  };
}

/** Reads ranks of random accounts. @returns how many in a second */
async function readRanks(api: RestCall, boardIds: readonly string[], seconds: number): Promise<number> {
  const begun = performance.now();
  let reads = 0;
  for (; performance.now() - begun < seconds * 1_000; reads += 1) {
    const number = Math.floor(Math.random() * RANKED);
    const boardId = boardIds[number % boardIds.length];
    const { entry } = await api<{ entry?: object }>(
      'GET',
      `/v1/accounts/${accountIdOf(number)}/leaderboards/${boardId}?around=5`,
    );
    if (entry === undefined) throw new Error(`The account ${number} is not on its board.`);
  }
  return (reads * 1_000) / (performance.now() - begun);
}

/** Sends events and takes them back one after the other. @returns milliseconds of a reversal, the median */
async function reverseEvents(api: RestCall): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < REVERSED; index += 1) {
    const operationId = crypto.randomUUID();
    const accountId = accountIdOf(Math.floor(Math.random() * RANKED));
    const event = { programmaticCode: EVENT_CODE, accountId, operationId, metadata: { amount: 2 } };
    await api('POST', '/gamification/triggers', event);
    const begun = performance.now();
    await api('POST', '/gamification/triggers/reversals', {
      programmaticCode: EVENT_CODE,
      triggerOperationId: operationId,
    });
    times.push(performance.now() - begun);
  }
  return median(times);
}
