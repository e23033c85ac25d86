import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Result, Settings } from '../benchmark.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { inTurns } from '../support/in-turns.ts';
import { startLoad } from '../support/load.ts';
import { findPgbench } from '../support/pgbench.ts';
import { startServerProcess } from '../support/server-process.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { EVENTS_PER_BATCH } from './batch-requests.ts';
import type { TriggerRequestOptions } from './event-of.ts';
import { bestClientCount, layFloor } from './floor.ts';
import { type Measure, type Measured, startService } from './service.ts';

/** Milliseconds guaranteed for 99 of 100 events at half load. */
const PROMISED = 25;

/** Events per second of a busy day, and the milliseconds guaranteed for 99 of 100 of them. */
const STEADY_RATE = 2_000;
const STEADY_PROMISED = 15;

/** Numbers of concurrent requests to try with each way of sending events: the best one differs. */
const UNDER_WAY = { rest: [64, 128, 256], grpc: [64, 128, 256], batch: [2, 4, 8] };

/** Seconds for each trial. */
const TRIAL = 3;

/** Seconds until the code is hot and its pages are in memory. */
const WARM_UP = 6;

const REFERENCE = 'against pgbench with one hand-written transaction per event on the same PostgreSQL';

export default measuredTogether(
  'triggers',
  {
    rest: { about: `Events applied per second over REST (HTTP/1.1), ${REFERENCE}.`, aim: 1.8 },
    grpc: { about: `Events applied per second by unary gRPC calls, ${REFERENCE}.`, aim: 1.4 },
    batch: { about: `Events applied per second, ${EVENTS_PER_BATCH} in each REST request, ${REFERENCE}.`, aim: 5 },
    latency: {
      about: `Milliseconds to the answer over REST, p99, at half of the load that it can take, against ${PROMISED}.`,
      aim: 1,
      lessIsBetter: true,
    },
    steady: {
      about: `Milliseconds to the answer over REST, p99, at ${whole(STEADY_RATE)} events a second, against ${STEADY_PROMISED}.`,
      aim: 1,
      lessIsBetter: true,
    },
  },
  measure,
);

async function measure(settings: Settings) {
  const pgbench = await findPgbench();
  return withWorkbench('triggers', async (workbench) => {
    const floor = await layFloor(workbench.databaseUrl);
    const service = await startService(workbench);
    const clients = await bestClientCount((task) => pgbench({ ...floor, ...task }));
    const grpc = { protocol: 'grpc', source: import.meta.resolve('./grpc-requests.ts'), events: 1 } as const;
    const batch = { source: import.meta.resolve('./batch-requests.ts'), events: EVENTS_PER_BATCH };
    const ways = {
      rest: await prepare(service.measure, UNDER_WAY.rest),
      grpc: await prepare(await service.load(grpc), UNDER_WAY.grpc),
      batch: await prepare(await service.load(batch), UNDER_WAY.batch),
    };
    const floors: number[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      floors.push((await pgbench({ ...floor, clients, seconds: settings.seconds })).transactionsPerSecond);
      for (const { reports, run } of Object.values(ways)) reports.push(await run(settings.seconds));
    }
    const half = median(ways.rest.reports.map(({ perSecond }) => perSecond)) / 2;
    const calm: Measured[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      calm.push(await service.measure({ connections: 256, seconds: settings.seconds, rate: half }));
    }
    const steady = await measureSteady(workbench, service.measure, settings);
    await service.verify();
    const reference = { perSecond: floors, connections: clients };
    return {
      rest: resultOf(ways.rest, reference),
      grpc: resultOf(ways.grpc, reference),
      batch: resultOf(ways.batch, reference),
      latency: latencyOf(calm, half),
      steady,
    };
  });
}

/** Measures in turns with a bare server that parses the same requests and writes answers of the same length: the share of the machine. */
async function measureSteady(workbench: Workbench, ours: Measure, { rounds, seconds }: Settings): Promise<Result> {
  const echo = await startServerProcess({
    args: [fileURLToPath(new URL('../gateway/echo-server.ts', import.meta.url))],
    env: {},
    logFile: join(workbench.folder, 'echo.log'),
  });
  workbench.cleanUps.push(echo.stop);
  const load = await startLoad({
    host: '127.0.0.1',
    port: echo.port,
    source: import.meta.resolve('./requests.ts'),
    sourceOptions: { apiKey: 'none' } satisfies TriggerRequestOptions,
  });
  workbench.cleanUps.push(load.stop);
  const task = { connections: 256, seconds, rate: STEADY_RATE };
  await load.run({ ...task, seconds: WARM_UP });
  const turns = await inTurns(
    { rounds, seconds },
    () => load.run(task),
    () => ours(task),
  );
  const [echoed, answered] = [turns.reference, turns.ours].map((reports) => reports.map(({ p99 }) => p99));
  return {
    unit: 'ms',
    ours: median(answered!),
    reference: STEADY_PROMISED,
    details: {
      'p99 of each measurement': answered!.map(milliseconds).join(', '),
      'p99 of a bare server': echoed!.map(milliseconds).join(', '),
      'ratio to the bare server': describeRatios(answered!, echoed!),
    },
  };
}

/** A way to send events, its best number of concurrent requests, and its measurements. */
type Way = {
  readonly connections: number;
  readonly reports: Measured[];
  run(seconds: number): Promise<Measured>;
};

async function prepare(measure: Measure, choices: readonly number[]): Promise<Way> {
  await measure({ connections: choices[0]!, seconds: WARM_UP });
  let best = { connections: 0, perSecond: 0 };
  for (const connections of choices) {
    const { perSecond } = await measure({ connections, seconds: TRIAL });
    if (perSecond > best.perSecond) best = { connections, perSecond };
  }
  const { connections } = best;
  return { connections, reports: [], run: (seconds) => measure({ connections, seconds }) };
}

/** The rates of the floor in each round, and its number of connections. */
type FloorRounds = { readonly perSecond: readonly number[]; readonly connections: number };

function resultOf({ reports, connections }: Way, floor: FloorRounds): Result {
  const typical = (figure: (measured: Measured) => number) => median(reports.map(figure));
  const ours = reports.map(({ perSecond }) => perSecond);
  return {
    unit: 'events/s',
    ours: median(ours),
    reference: median(floor.perSecond),
    details: {
      'ratio of a round': describeRatios(ours, floor.perSecond),
      'latency p50': `${milliseconds(typical(({ p50 }) => p50))} with ${connections} requests always under way`,
      'latency p99': milliseconds(typical(({ p99 }) => p99)),
      'floor, connections': String(floor.connections),
      'service, processor time': `${microseconds(typical((run) => run.serviceSeconds / run.answered))} per event`,
      'load generator, processor time': `${microseconds(typical((run) => run.processorSeconds / run.answered))} per event`,
      'service, peak memory': `${whole(Math.max(...reports.map(({ memory }) => memory)) / 2 ** 20)} MiB`,
      verified: 'every answered event is in the database exactly once',
    },
  };
}

function latencyOf(reports: readonly Measured[], rate: number): Result {
  const typical = (figure: (measured: Measured) => number) => median(reports.map(figure));
  const answered = whole(typical(({ perSecond }) => perSecond));
  return {
    unit: 'ms',
    ours: typical(({ p99 }) => p99),
    reference: PROMISED,
    details: {
      p50: milliseconds(typical((measured) => measured.p50)),
      'p99 of each measurement': reports.map(({ p99 }) => milliseconds(p99)).join(', '),
      load: `${whole(rate)} events a second, begun whether or not the last ones are answered; ${answered} were answered`,
    },
  };
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

/**
 * @param value in seconds
 */
function microseconds(value: number): string {
  return `${whole(value * 1e6)} µs`;
}
