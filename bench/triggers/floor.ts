import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executeSql } from '../support/execute-sql.ts';
import type { PgbenchResult, PgbenchTask } from '../support/pgbench.ts';

/** The floor's transaction as a task for pgbench. */
export type Floor = Omit<PgbenchTask, 'clients' | 'seconds'>;

/** Numbers of connections to try; the best one depends on cores and disk. */
const CLIENTS = [4, 8, 16, 32, 64];

/** Seconds for each trial. */
const TRIAL = 3;

/** Creates the floor's tables in a separate database, on the server of `databaseUrl`. */
export async function layFloor(databaseUrl: string): Promise<Floor> {
  const url = new URL(databaseUrl);
  url.pathname = '/floor';
  await executeSql(databaseUrl, ['create database floor']);
  const tables = await readFile(join(import.meta.dirname, 'floor-tables.sql'), 'utf8');
  await executeSql(url.href, [tables, 'vacuum analyze']);
  return { script: join(import.meta.dirname, 'floor.sql'), databaseUrl: url.href };
}

/** The number of connections with which pgbench is fastest here. It also warms up the tables of the task. */
export async function bestClientCount(
  run: (task: Pick<PgbenchTask, 'clients' | 'seconds'>) => Promise<PgbenchResult>,
): Promise<number> {
  let best = { clients: 0, transactionsPerSecond: 0 };
  for (const clients of CLIENTS) {
    const { transactionsPerSecond } = await run({ clients, seconds: TRIAL });
    if (transactionsPerSecond > best.transactionsPerSecond) best = { clients, transactionsPerSecond };
  }
  return best.clients;
}
