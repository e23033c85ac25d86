// The history of streams: two processes of which one is killed, apps that come back by the id of their last event, one that reads slowly.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBatch } from '../../src/changes/change-batch.queries.ts';
import { addPoints, changesAfter, endOfFeed, switchOn } from '../operations/changes/feed.ts';
import { amountOf, openStream } from '../operations/changes/stream.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let processes: ServiceProcess[];
let rest: Rest;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  processes = [await startServiceProcess(database.url), await startServiceProcess(database.url)];
  rest = restAs(processes[0]!.baseUrl, tenant);
  await switchOn(fed());
}, 120_000);
afterAll(async () => {
  await Promise.all(processes?.map((process) => process.end('SIGKILL')));
  await database.drop();
});

const fed = () => ({ ...tenant, rest, db: database.db });
const newAccount = async (): Promise<string> => (await rest('POST', '/accounts', {})).body.id;

/** An app that follows its account at either process, and comes back whenever its stream ends, until it has `wanted` changes. */
async function app(accountId: string, after: string, wanted: number): Promise<(number | undefined)[]> {
  const amounts: (number | undefined)[] = [];
  for (let turn = 0, last = after; amounts.length < wanted; turn += 1) {
    try {
      const stream = await openStream(processes[turn % 2]!, tenant.apiKey, accountId, { after: last });
      if (stream.status !== 200) throw new Error(`The stream was refused: ${stream.status}.`);
      for await (const { id, data } of stream.events) {
        last = id;
        if (data?.change !== undefined) amounts.push(amountOf(data.change));
        // An app that goes to sleep now and then.
        if (amounts.length >= wanted || (data?.change !== undefined && amounts.length % 17 === 0)) break;
      }
      stream.close();
    } catch {
      await sleep(20);
    }
  }
  return amounts;
}

test(
  'apps that come back after kills have every change of their account once, in its order',
  { timeout: 120_000 },
  async () => {
    const accounts = await Promise.all([newAccount(), newAccount()]);
    const end = await endOfFeed(fed());
    const amounts = Array.from({ length: 40 }, (_, index) => index + 1);
    const apps = accounts.flatMap((id) => [app(id, end, amounts.length), app(id, end, amounts.length)]);
    const writing = (async () => {
      for (const amount of amounts) for (const id of accounts) await addPoints({ rest }, id, amount);
    })();
    for (let kills = 0; kills < 2; kills += 1) {
      await sleep(300);
      await processes[1]!.end('SIGKILL');
      processes[1] = await startServiceProcess(database.url);
    }
    await writing;
    for (const told of await Promise.all(apps)) expect(told).toEqual(amounts);
  },
);

test('a reader that stops is cut off, and has the rest when it comes back', { timeout: 120_000 }, async () => {
  const accountId = await newAccount();
  const end = await endOfFeed(fed());
  // More than a reader may leave waiting: its stream ends behind the first of them.
  const wanted = 1_200;
  for (let part = 0; part < 6; part += 1)
    await database.db.unitOfWork(tenant.clientId, (uow) =>
      insertBatch(
        uow,
        Array.from({ length: wanted / 6 }, () => ({ kind: 'POINTS_CHANGED', json: JSON.stringify({ accountId }) })),
      ),
    );
  const { rows } = await changesAfter(fed(), end, { limit: 1_000 });
  expect(rows).toHaveLength(wanted);
  const slow = await reader(accountId, end);
  const first = await textOf(slow);
  const ids = [...first.matchAll(/^id: (.*)\n(?=data: \{"change")/gm)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThanOrEqual(1_000);
  expect(ids.length).toBeLessThan(wanted);
  expect(ids).toEqual(rows.slice(0, ids.length).map(({ cursor }) => cursor));
  const rest2 = await openStream(processes[0]!, tenant.apiKey, accountId, { after: ids.at(-1) });
  const others: string[] = [];
  for await (const { id, data } of rest2.events) {
    if (data?.change !== undefined) others.push(id);
    if (others.length + ids.length === wanted) break;
  }
  rest2.close();
  expect([...ids, ...others]).toEqual(rows.map(({ cursor }) => cursor));
});

/** A stream whose bytes nobody reads yet. */
async function reader(accountId: string, after: string): Promise<Socket> {
  const socket = connect({ port: processes[0]!.port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.pause();
  const path = `/v1/accounts/${accountId}/stream?after=${after}`;
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${tenant.apiKey}\r\n\r\n`,
  );
  return socket;
}

/** Everything until the end of the connection. */
async function textOf(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
