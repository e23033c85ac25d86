import { join } from 'node:path';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { inTurns } from '../support/in-turns.ts';
import { startLoad } from '../support/load.ts';
import type { LoadOptions, LoadReport } from '../support/load-protocol.ts';
import { startServerProcess } from '../support/server-process.ts';
import { median } from '../support/statistics.ts';
import { createTenant } from '../support/tenant.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';

const CONNECTIONS = 64;

/** Seconds until the code is hot. */
const WARM_UP = 3;

const NOTHING =
  'an operation that does nothing, through the whole server (trace, authentication, decoding, validation, log, metrics)';

const gateway: Benchmark[] = [
  {
    name: 'gateway',
    about: `REST calls per second of ${NOTHING}, against a bare node:http server that parses and writes JSON.`,
    aim: 0.5,
    run: (settings) => compare(settings, 'echo-server', { source: import.meta.resolve('../triggers/requests.ts') }),
  },
  {
    name: 'gateway:grpc',
    about: `Unary gRPC calls per second of ${NOTHING}, against Connect's own adapter with none of that.`,
    aim: 2,
    run: (settings) =>
      compare(settings, 'connect-server', {
        protocol: 'grpc',
        source: import.meta.resolve('../triggers/grpc-requests.ts'),
      }),
  },
];

export default gateway;

/** The protocol and the source of the calls. */
type Calls = Pick<LoadOptions, 'protocol' | 'source'>;

function compare(settings: Settings, referenceScript: string, calls: Calls): Promise<Result> {
  return withWorkbench('gateway', async (workbench) => {
    const apiKey = await createApiKey(workbench);
    const ours = await startTarget(workbench, 'noop-service', apiKey, calls);
    const reference = await startTarget(workbench, referenceScript, apiKey, calls);
    for (const target of [ours, reference]) await target.measure(WARM_UP);
    const turns = await inTurns(settings, reference.measure, ours.measure);
    const perSecond = (reports: readonly LoadReport[]) => median(reports.map((report) => report.perSecond));
    return {
      unit: 'calls/s',
      ours: perSecond(turns.ours),
      reference: perSecond(turns.reference),
      details: {
        'latency p50': `${median(turns.ours.map(({ p50 }) => p50)).toFixed(1)} ms with ${CONNECTIONS} calls always under way`,
        'latency p99': `${median(turns.ours.map(({ p99 }) => p99)).toFixed(1)} ms`,
      },
    };
  });
}

async function createApiKey({ databaseUrl }: Workbench): Promise<string> {
  await migrate(databaseUrl);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  const { apiKey } = await createTenant(db);
  await db.close();
  return apiKey;
}

/** A server of this folder in a separate process, and its calls. */
async function startTarget({ databaseUrl, folder, cleanUps }: Workbench, script: string, apiKey: string, calls: Calls) {
  const server = await startServerProcess({
    args: [join(import.meta.dirname, `${script}.ts`)],
    env: { DATABASE_URL: databaseUrl },
    logFile: join(folder, `${script}.log`),
  });
  cleanUps.push(server.stop);
  const load = await startLoad({ ...calls, host: '127.0.0.1', port: server.port, sourceOptions: { apiKey } });
  cleanUps.push(load.stop);
  return { measure: (seconds: number) => load.run({ connections: CONNECTIONS, seconds }) };
}
