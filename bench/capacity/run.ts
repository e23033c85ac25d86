// What docs/capacity.md is filled from: `npm run bench:capacity`. Only on Linux, which tells of the processor time of others.
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

/** Accounts, unless LAUREL_BENCH_ACCOUNTS says otherwise, and events sent at random in each of two turns. */
const ACCOUNTS = Number(process.env['LAUREL_BENCH_ACCOUNTS'] || 100_000);
const EVENTS = 2 * ACCOUNTS;

/** Seconds of what is measured by single requests. */
const SECONDS = 8;

/** Clients with a catalogue that are added for each measurement of memory, and are in memory then. */
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

/** The same database as another login with the same password. */
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
