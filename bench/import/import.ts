import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { inTurns } from '../support/in-turns.ts';
import { processMetrics, withPeakMemory } from '../support/process-metrics.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { median } from '../support/statistics.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { COPY_COLUMNS, writeCopyFile, writeCsv } from './account-rows.ts';

/** Accounts of a file, unless LAUREL_BENCH_ROWS is set. */
const ROWS = 1_000_000;

/** Accounts loaded until the code is hot. */
const WARM_UP = 20_000;

const MEBIBYTE = 1_048_576;

/** `npm run bench -- import` */
export default [
  {
    name: 'import',
    about:
      'Accounts of a CSV file loaded per second, from the first byte sent to DONE, against COPY into the same table.',
    aim: 0.4,
    run: (settings) => withWorkbench('import', (workbench) => measureImport(workbench, settings)),
  },
] satisfies Benchmark[];

async function measureImport(workbench: Workbench, settings: Settings): Promise<Result> {
  const stage = await setUp(workbench);
  const count = rowsWanted();
  const idle = (await processMetrics(stage.service.baseUrl)).memory;
  await load(stage, WARM_UP);
  const turns = await inTurns(
    settings,
    () => copy(stage, count),
    () => load(stage, count),
  );
  const again = await load(stage, count, turns.ours.at(-1)!.tenant);
  const peak = Math.max(...turns.ours.map((each) => each.peak), again.peak);
  return {
    unit: 'rows/s',
    ours: median(turns.ours.map(({ perSecond }) => perSecond)),
    reference: median(turns.reference),
    details: {
      file: `${whole(count)} accounts, ${whole(turns.ours[0]!.bytes / MEBIBYTE)} MiB`,
      'upload alone': `${median(turns.ours.map(({ uploadSeconds }) => uploadSeconds)).toFixed(1)} s`,
      'the same file again': `${whole(again.perSecond)} rows/s, nothing changed`,
      'service, memory': `${whole(idle / MEBIBYTE)} MiB idle, ${whole((peak - idle) / MEBIBYTE)} MiB more at most`,
      verified: 'every row created one account, of which each has its row',
    },
  };
}

function rowsWanted(): number {
  const count = Number(process.env['LAUREL_BENCH_ROWS'] || ROWS);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error('LAUREL_BENCH_ROWS must be a whole number above 0.');
}

type Stage = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly service: ServerProcess;
};

async function setUp(workbench: Workbench): Promise<Stage> {
  const { folder, databaseUrl } = workbench;
  await migrate(databaseUrl);
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
  workbench.cleanUps.push(() => db.close());
  const service = await startServiceProcess(workbench, { name: 'import', databaseUrl });
  return { folder, databaseUrl, db, service };
}

/** The reference in rows per second: one COPY of a file that PostgreSQL reads itself, for a client without accounts. */
async function copy({ folder, databaseUrl, db }: Stage, count: number): Promise<number> {
  const { clientId } = await createTenant(db);
  const file = join(folder, 'accounts.copy');
  await writeCopyFile(file, count, clientId);
  const start = performance.now();
  await executeSql(superuserOf(databaseUrl), [`copy account (${COPY_COLUMNS}) from '${file}'`]);
  return (count * 1_000) / (performance.now() - start);
}

/** The address with a superuser's login: only that may let PostgreSQL read a file, or copy into a table under row-level security. */
function superuserOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = 'postgres';
  return url.href;
}

/** Ours: the file is uploaded as a browser or curl would do it, and loaded for a client without accounts. */
async function load({ folder, db, service }: Stage, count: number, known?: Tenant) {
  const tenant = known ?? (await createTenant(db));
  const file = join(folder, 'accounts.csv');
  await writeCsv(file, count);
  const call = callerOf(service.baseUrl, tenant);
  const { id, uploadPath } = await call('POST', '/admin/imports', JSON.stringify({ type: 'ACCOUNTS', fileName: file }));
  const { result, peak } = await withPeakMemory(service.baseUrl, async () => {
    const start = performance.now();
    await call('PUT', uploadPath as string, await openAsBlob(file));
    const uploaded = performance.now();
    const report = await untilDone(() => call('GET', `/admin/imports/${id}`));
    return { report, seconds: (performance.now() - start) / 1_000, uploadSeconds: (uploaded - start) / 1_000 };
  });
  const expected = known === undefined ? result.report['rowsCreated'] : result.report['rowsUnchanged'];
  if (expected !== count) throw new Error(`Of ${count} rows the report has ${JSON.stringify(result.report)}.`);
  await verify(db, tenant, count);
  const { uploadSeconds } = result;
  return { tenant, peak, uploadSeconds, bytes: Number(result.report['bytes']), perSecond: count / result.seconds };
}

type Json = Record<string, unknown>;

function callerOf(baseUrl: string, { adminToken }: Tenant) {
  return async (method: string, path: string, body?: string | Blob): Promise<Json> => {
    const type = typeof body === 'string' ? 'application/json' : 'text/csv';
    const headers = { authorization: `Bearer ${adminToken}`, ...(body === undefined ? {} : { 'content-type': type }) };
    const answer = await fetch(baseUrl + path, { method, headers, body });
    const json = (await answer.json()) as Json;
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${JSON.stringify(json)}.`);
    return json;
  };
}

async function untilDone(read: () => Promise<Json>): Promise<Json> {
  for (;;) {
    const report = await read();
    if (report['status'] === 'DONE') return report;
    if (report['status'] === 'FAILED') throw new Error(`The import failed: ${String(report['error'])}`);
    await sleep(50);
  }
}

async function verify(db: Database, { clientId }: Tenant, count: number): Promise<void> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ stored: number }>(`select count(*)::int as stored from account where client_id = $1`, [clientId]),
  );
  if (row?.stored !== count) throw new Error(`Of ${count} accounts ${row?.stored} are stored.`);
}
