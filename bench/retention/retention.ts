import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import type { Result, Settings } from '../benchmark.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import type { TriggerRequestOptions } from '../triggers/event-of.ts';
import { setUpGame } from '../triggers/game.ts';
import { storeAgedOperations } from './aged-operations.ts';

/** Expired operation ids, unless LAUREL_BENCH_OPERATIONS is set. */
const OPERATIONS = 20_000_000;

/** Events per second during the measurement of latency. */
const RATE = 2_000;

/** Requests in flight: for the maximum rate, and enough for a fixed rate. */
const CONNECTIONS = 128;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** Seconds in which every scheduled job has started once. */
const JOBS_BEGIN = 70;

const WORLD = '20 million operation ids a month and more old';

export default measuredTogether(
  'retention',
  {
    rate: {
      about: `Operation ids forgotten per second, against those that events over REST, as many as get answered, write meanwhile; ${WORLD}.`,
      aim: 2,
    },
    latency: {
      about: `Milliseconds to the answer at ${whole(RATE)} events a second over REST, p99, while operation ids are forgotten, against the same while none are.`,
      aim: 1.25,
      lessIsBetter: true,
    },
  },
  (settings) => withWorkbench('retention', (workbench) => measure(workbench, settings)),
);

/** Days for which operation ids are kept: longer than any age, or the default. */
const KEPT = { all: '3650', default: '30' };

async function measure(workbench: Workbench, { rounds, seconds }: Settings) {
  const count = Number(process.env['LAUREL_BENCH_OPERATIONS'] || OPERATIONS);
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, 'retention');
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  workbench.cleanUps.push(() => db.close());
  const tenant = await createTenant(db);
  const begun = performance.now();
  await withService(workbench, { databaseUrl, days: KEPT.all }, ({ baseUrl }) => setUpGame(db, baseUrl, tenant));
  await executeSql(databaseUrl, ['vacuum analyze account, assignment']);
  await storeAgedOperations(databaseUrl, tenant.clientId, count);
  const populated = `${whole(count)} in ${whole((performance.now() - begun) / 1_000)} s`;
  const rates: Rates[] = [];
  const [calm, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await withLoad(workbench, { databaseUrl, tenant, days: KEPT.all }, async (load) => {
      calm.push((await load({ connections: CONNECTIONS, seconds, rate: RATE })).p99);
    });
    await withLoad(workbench, { databaseUrl, tenant, days: KEPT.default }, async (load) => {
      await untilForgetting(databaseUrl);
      busy.push((await load({ connections: CONNECTIONS, seconds, rate: RATE })).p99);
      rates.push(await ratesOf(databaseUrl, () => load({ connections: CONNECTIONS, seconds })));
    });
  }
  return { rate: rateOf(rates, populated), latency: latencyOf(busy, calm, populated) };
}

/** Rows per second. */
type Rates = { readonly forgotten: number; readonly written: number };

/** The deleted rows per second during a load, and the rows that the load writes. */
async function ratesOf(databaseUrl: string, load: () => Promise<LoadReport>): Promise<Rates> {
  const [before, begun] = [await forgottenIn(databaseUrl), performance.now()];
  const { answered } = await load();
  const [after, took] = [await forgottenIn(databaseUrl), (performance.now() - begun) / 1_000];
  if (after === before) throw new Error('Nothing was forgotten meanwhile: LAUREL_BENCH_OPERATIONS is too small.');
  return { forgotten: (after - before) / took, written: answered / took };
}

/** Deleted rows, by PostgreSQL's statistics. */
async function forgottenIn(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ deleted: string }>(
    `select n_tup_del as deleted from pg_stat_user_tables where relname = 'operation'`,
  );
  await client.end();
  return Number(rows[0]!.deleted);
}

async function untilForgetting(databaseUrl: string): Promise<void> {
  const before = await forgottenIn(databaseUrl);
  for (let waited = 0; waited < JOBS_BEGIN; waited += 1) {
    await sleep(1_000);
    if ((await forgottenIn(databaseUrl)) > before) return;
  }
  throw new Error('No operation id has been forgotten.');
}

type Running = { readonly databaseUrl: string; readonly days: string };

/** Runs the service during `work`. */
async function withService<T>(
  workbench: Workbench,
  { databaseUrl, days }: Running,
  work: (server: { readonly baseUrl: string; readonly port: number }) => Promise<T>,
): Promise<T> {
  const env = { LAUREL_OPERATION_RETENTION_DAYS: days };
  const server = await startServiceProcess(workbench, { name: 'retention', databaseUrl, env });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Runs the service with a load of events during `work`, after the code is hot. */
function withLoad(
  workbench: Workbench,
  { tenant, ...running }: Running & { readonly tenant: Tenant },
  work: (load: (task: LoadTask) => Promise<LoadReport>) => Promise<void>,
): Promise<void> {
  return withService(workbench, running, async ({ port }) => {
    const sourceOptions: TriggerRequestOptions = { apiKey: tenant.apiKey };
    const source = import.meta.resolve('../triggers/requests.ts');
    const { run, stop } = await startLoad({ host: '127.0.0.1', port, source, sourceOptions });
    try {
      await run({ connections: CONNECTIONS, seconds: WARM_UP });
      await work(run);
    } finally {
      await stop();
    }
  });
}

function rateOf(rates: readonly Rates[], populated: string): Result {
  const [forgotten, written] = [rates.map((rate) => rate.forgotten), rates.map((rate) => rate.written)];
  return {
    unit: 'rows/s',
    ours: median(forgotten),
    reference: median(written),
    details: { 'ratio of a round': describeRatios(forgotten, written), populated },
  };
}

function latencyOf(busy: readonly number[], calm: readonly number[], populated: string): Result {
  return {
    unit: 'ms',
    ours: median(busy),
    reference: median(calm),
    details: { 'ratio of a round': describeRatios(busy, calm), populated },
  };
}
