import type { Benchmark, Result } from '../benchmark.ts';
import { whole } from '../report.ts';
import { inTurns, type Turns } from '../support/in-turns.ts';
import { findPgbench, type PgbenchResult } from '../support/pgbench.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { bestClientCount, layFloor } from './floor.ts';
import { type Measured, type Service, startService } from './service.ts';

/** Numbers of connections to try, each with one request under way: what integrators keep open. */
const CONNECTIONS = [64, 128, 256];

/** Seconds for each trial. */
const TRIAL = 3;

/** Seconds until the service's code is hot and its pages are in memory. */
const WARM_UP = 8;

const triggers: Benchmark = {
  name: 'triggers',
  about:
    'Events applied per second over REST (HTTP/1.1), against pgbench with one hand-written transaction per event on the same PostgreSQL.',
  aim: 1,
  async run(settings) {
    const pgbench = await findPgbench();
    return withWorkbench('triggers', async (workbench) => {
      const floor = await layFloor(workbench.databaseUrl);
      const service = await startService(workbench);
      const clients = await bestClientCount(pgbench, floor);
      const connections = await bestConnectionCount(service);
      const turns = await inTurns(
        settings,
        (seconds) => pgbench({ ...floor, clients, seconds }),
        (seconds) => service.measure({ connections, seconds }),
      );
      await service.verify();
      return resultOf(turns, clients, connections);
    });
  },
};

export default triggers;

async function bestConnectionCount(service: Service): Promise<number> {
  await service.measure({ connections: CONNECTIONS[0]!, seconds: WARM_UP });
  let best = { connections: 0, perSecond: 0 };
  for (const connections of CONNECTIONS) {
    const { perSecond } = await service.measure({ connections, seconds: TRIAL });
    if (perSecond > best.perSecond) best = { connections, perSecond };
  }
  return best.connections;
}

function resultOf({ reference, ours }: Turns<PgbenchResult, Measured>, clients: number, connections: number): Result {
  const typical = (figure: (measured: Measured) => number) => median(ours.map(figure));
  const latencyOfFloor = median(reference.map((measured) => measured.averageLatency));
  return {
    unit: 'events/s',
    ours: typical((measured) => measured.perSecond),
    reference: median(reference.map((measured) => measured.transactionsPerSecond)),
    details: {
      'latency p50': `${milliseconds(typical(({ p50 }) => p50))} with ${connections} connections, none of them ever idle`,
      'latency p99': milliseconds(typical(({ p99 }) => p99)),
      'floor, average latency': `${milliseconds(latencyOfFloor)} with ${clients} connections`,
      'service, processor time': `${microseconds(typical((run) => run.serviceSeconds / run.answered))} per event`,
      'load generator, processor time': `${microseconds(typical((run) => run.processorSeconds / run.answered))} per event`,
      'service, peak memory': `${whole(Math.max(...ours.map(({ memory }) => memory)) / 2 ** 20)} MiB`,
      verified: 'every answered event is in the database exactly once',
    },
  };
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

/** @param value in seconds */
function microseconds(value: number): string {
  return `${whole(value * 1e6)} µs`;
}
