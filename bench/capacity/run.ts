// The source of docs/capacity.md: `npm run bench:capacity`. It needs Linux, which shows the processor time of other processes.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { describeMachine } from '../machine.ts';
import { processMetrics } from '../support/process-metrics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { measureCosts } from './costs.ts';
import { measureMemory } from './memory.ts';
import { postgresProcesses } from './processor-time.ts';
import { costTable, forgettingTable, memoryTable, sizeTable } from './report.ts';
import { createWorld } from './world.ts';

/** The number of accounts by default (LAUREL_BENCH_ACCOUNTS), and of the random events in each of two turns. */
const ACCOUNTS = Number(process.env['LAUREL_BENCH_ACCOUNTS'] || 100_000);
const EVENTS = 2 * ACCOUNTS;

/** Seconds for measurements by single requests. */
const SECONDS = 8;

/** Clients with a catalogue that are added for each measurement of memory. */
const CLIENTS = [0, 200, 800, 800];

await withWorkbench('capacity', async (workbench) => {
  const world = await createWorld(workbench, ACCOUNTS);
  const { databaseUrl, db, baseUrl } = world;
  const adminUrl = withLogin(databaseUrl, 'postgres');
  const postgres = await postgresProcesses(adminUrl);
  const idle = (await processMetrics(baseUrl)).memory;
  const amounts = { accountCount: ACCOUNTS, events: EVENTS, seconds: SECONDS };
  const { costs, sizes, forgetting } = await measureCosts(
    workbench,
    world,
    { db, baseUrl, postgres, adminUrl },
    amounts,
  );

  const { processors, memory: machineMemory, node, postgres: version } = await describeMachine();
  console.log(`\n${processors}, ${machineMemory}; Node ${node}, ${version}; ${ACCOUNTS} accounts\n`);
  console.log(`${costTable(costs)}\n\n${sizeTable(sizes)}\n\n${forgettingTable(forgetting)}\n`);
  const loaded = (await processMetrics(baseUrl)).memory;
  const connections = await postgres.bytesOfConnections();
  const logBytes = (await readFile(`${workbench.folder}/capacity.log`)).length;

  console.log(`Process: ${mib(idle)} at first, ${mib(loaded)} after all of it`);
  console.log(
    `Connections of the service: ${connections.length}, ${mib(Math.max(...connections))} at most, ${mib(average(connections))} on average`,
  );
  console.log(`Log: ${mib(logBytes)} in all`);
  console.log(`Sessions: ${await sessions(adminUrl)}\n`);
  const memory = [];
  for (const clients of CLIENTS) memory.push(await measureMemory(workbench, databaseUrl, db, clients));
  console.log(memoryTable(memory));
});

/** The same database with another login, which has the same password. */
function withLogin(databaseUrl: string, login: string): string {
  const url = new URL(databaseUrl);
  url.username = login;
  return url.href;
}

async function sessions(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int as count from pg_stat_activity where application_name <> '' group by 1`,
  );
  await client.end();
  return rows.map(({ name, count }) => `${name} ${count}`).join(', ');
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
