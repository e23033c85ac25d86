import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../support/with-client.ts';
import { executeSql } from '../support/execute-sql.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import { startServerProcess } from '../support/server-process.ts';
import type { Workbench } from '../support/workbench.ts';
import { ACCOUNT_COUNT, accountIdOf } from '../triggers/accounts.ts';
import type { TriggerRequestOptions } from '../triggers/event-of.ts';
import { missions } from './event.ts';

/** A hand-written form of the event, in a separate process and database, and a load of events for it. */
export type Peer = {
  measure(task: LoadTask): Promise<LoadReport>;
  /**
   * @throws Error unless every answered event is in the database exactly once
   */
  verify(): Promise<void>;
};

/** Events that complete the mission; no account reaches it, as in our own game. */
const TARGET = 1_000_000;

/** Starts the peer whose script is `<name>.ts`. */
export async function startPeer({ databaseUrl, folder, cleanUps }: Workbench, name: string): Promise<Peer> {
  const peerUrl = await layTables(databaseUrl, name.replaceAll('-', '_'));
  const apiKey = randomBytes(24).toString('base64url');
  const server = await startServerProcess({
    args: [join(import.meta.dirname, `${name}.ts`)],
    env: { DATABASE_URL: peerUrl, API_KEY: apiKey },
    logFile: join(folder, `${name}.log`),
  });
  cleanUps.push(server.stop);
  const source = import.meta.resolve('../triggers/requests.ts');
  const sourceOptions: TriggerRequestOptions = { apiKey };
  const load = await startLoad({ host: '127.0.0.1', port: server.port, source, sourceOptions });
  cleanUps.push(load.stop);
  let answered = 0;
  return {
    async measure(task) {
      const report = await load.run(task);
      answered += report.answered;
      return report;
    },
    async verify() {
      const found = await countEffects(peerUrl);
      if (Object.values(found).every((count) => count === answered)) return;
      throw new Error(`${name} answered ${answered} events, but its database has ${JSON.stringify(found)}.`);
    },
  };
}

/** Creates the tables in a separate database, with the accounts of our game; returns its address. */
async function layTables(databaseUrl: string, database: string): Promise<string> {
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  await executeSql(databaseUrl, [`create database ${database}`]);
  const tables = await readFile(join(import.meta.dirname, 'tables.sql'), 'utf8');
  await executeSql(url.href, [tables]);
  await withClient(url.href, (client) =>
    client.query(
      `insert into assignment (account_id, mission_id, target)
       select account_id, mission_id, $3 from unnest($1::uuid[]) as account_id, unnest($2::uuid[]) as mission_id`,
      [
        Array.from({ length: ACCOUNT_COUNT }, (_, number) => accountIdOf(number)),
        [...missions.values()].map(({ id }) => id),
        TARGET,
      ],
    ),
  );
  await executeSql(url.href, ['vacuum analyze assignment']);
  return url.href;
}

async function countEffects(url: string): Promise<{ progress: number; operations: number; messages: number }> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Record<'progress' | 'operations' | 'messages', string>>(
      `select (select sum(progress) from assignment) as progress, (select count(*) from operation) as operations,
              (select count(*) from outbox) as messages`,
    );
    const [row] = rows;
    return {
      progress: Number(row?.progress),
      operations: Number(row?.operations),
      messages: Number(row?.messages),
    };
  });
}
