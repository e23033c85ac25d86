import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase, dropDatabase } from '../../test/support/databases.ts';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { inTurns } from '../support/in-turns.ts';
import { findPgbench } from '../support/pgbench.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { ACCOUNT_COUNT, accountIdOf } from '../triggers/accounts.ts';
import { bestClientCount, layFloor } from '../triggers/floor.ts';
import { startService } from '../triggers/service.ts';
import { wrk } from './wrk.ts';

/** The setting with an existing PostgreSQL, and the login of a superuser. */
const SERVER = 'LAUREL_BENCH_DATABASE_URL';

const CONNECTIONS = 128;

/** Seconds until the code is hot and its pages are in memory. */
const WARM_UP = 8;

const outside: Benchmark = {
  name: 'outside',
  about: `Events applied per second over REST, sent by wrk, on the PostgreSQL at ${SERVER}, against pgbench with the least transaction for an event there, without a message for the webhook.`,
  aim: 1.4,
  rounds: 5,
  needs: SERVER,
  run: measure,
};

export default outside;

async function measure(settings: Settings): Promise<Result> {
  const server = process.env[SERVER];
  if (!server) throw new Error(`Set ${SERVER} to a PostgreSQL, with the login of a superuser.`);
  const pgbench = await findPgbench();
  const folder = join(tmpdir(), `laurel-bench-outside-${process.pid}`);
  const cleanUps = [() => rm(folder, { recursive: true, force: true })];
  try {
    await mkdir(folder);
    const databaseUrl = await createDatabase(server, 'laurel_bench_outside');
    cleanUps.push(() => dropDatabase(server, databaseUrl));
    const floor = { ...(await layFloor(server)), script: join(import.meta.dirname, 'floor.sql') };
    cleanUps.push(() => dropDatabase(server, floor.databaseUrl));
    const service = await startService({ folder, databaseUrl, cleanUps });
    const accounts = join(folder, 'accounts');
    await writeFile(accounts, Array.from({ length: ACCOUNT_COUNT }, (_, number) => accountIdOf(number)).join('\n'));
    const send = (seconds: number) => {
      const env = { API_KEY: service.apiKey, RUN: randomUUID(), ACCOUNTS: accounts };
      return wrk({ baseUrl: service.baseUrl, connections: CONNECTIONS, seconds, env });
    };
    const clients = await bestClientCount((task) => pgbench({ ...floor, ...task }));
    let { answered } = await send(WARM_UP);
    const turns = await inTurns(settings, (seconds) => pgbench({ ...floor, clients, seconds }), send);
    answered += turns.ours.reduce((sum, report) => sum + report.answered, 0);
    const unanswered = (await storedOperations(databaseUrl)) - answered;
    // Requests in flight at the end of wrk are applied, but wrk does not count their answers.
    if (unanswered < 0 || unanswered > CONNECTIONS * (settings.rounds + 1))
      throw new Error(`Of ${answered} events answered ${answered + unanswered} are stored.`);
    const [ours, reference] = [
      turns.ours.map(({ perSecond }) => perSecond),
      turns.reference.map(({ transactionsPerSecond }) => transactionsPerSecond),
    ];
    return {
      unit: 'events/s',
      ours: median(ours),
      reference: median(reference),
      details: {
        'ratio of a round': describeRatios(ours, reference),
        PostgreSQL: await versionOf(server),
        pgbench: `by ${clients} clients`,
        wrk: `${CONNECTIONS} connections`,
        verified: 'every answered event is in the database',
      },
    };
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function storedOperations(databaseUrl: string): Promise<number> {
  return Number(await valueOf(databaseUrl, 'select count(*) as value from operation'));
}

async function versionOf(url: string): Promise<string> {
  return String(await valueOf(url, `select current_setting('server_version') as value`));
}

async function valueOf(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(sql)).rows[0]?.value;
  } finally {
    await client.end();
  }
}
