import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entities } from '../../src/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, randomNumbers, rounds, seed, soakSeconds } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './counted-game.ts';
import { startEventLoad } from './event-load.ts';
import { startHostLoad } from './host-load.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

let postgres: OwnPostgres;
let db: Database;
let tenant: Tenant;
let hosts: ServiceProcess[];
let receiver: Receiver;

beforeAll(async () => {
  postgres = await startOwnPostgres('hosts', { max_connections: '120' });
  db = await openDatabase({ url: postgres.url, entities, poolMax: 4 });
  tenant = await newTenant(db);
  hosts = await Promise.all([1, 2, 3].map(() => startServiceProcess(postgres.url)));
  receiver = await startReceiver();
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  await receiver.close();
  await db.close();
  await postgres.remove();
});

/** Something that happens to a host, or to the database of all, and is over when the promise resolves. */
type Fault = (host: number, random: () => number) => Promise<void>;

const faults: Readonly<Record<string, Fault>> = {
  'a host is killed': (host) => restart(host, 'SIGKILL'),
  'a host is restarted': (host) => restart(host, 'SIGTERM'),
  'a host is frozen': async (host, random) => {
    const { process } = hosts[host]!;
    process.kill('SIGSTOP');
    // Longer than PostgreSQL leaves a transaction idle, every other time; in the short form a moment.
    await sleep(soakSeconds > 0 ? 8_000 + 12_000 * random() : 1_000);
    process.kill('SIGCONT');
  },
  'PostgreSQL is killed': async () => {
    postgres.kill();
    await sleep(500);
    await postgres.restart();
  },
  'a session of PostgreSQL is killed': () => postgres.killSession(),
};

async function restart(host: number, signal: NodeJS.Signals): Promise<void> {
  const { port } = hosts[host]!;
  await hosts[host]!.end(signal);
  hosts[host] = await startServiceProcess(postgres.url, { port });
}

test(
  'three hosts on one database that are killed, frozen and restarted keep every count exact',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const addresses = () => hosts.map(({ baseUrl }) => baseUrl);
    const random = randomNumbers(seed);
    const anyHost = () => addresses()[Math.floor(random() * hosts.length)]!;
    const rest = restAs(addresses()[0]!, tenant);
    await rest('PUT', '/webhooks/rewards', { endpoint: receiver.url });
    const game = await newCountedGame(rest, tenant);
    const events = startEventLoad({ baseUrl: anyHost, apiKey: tenant.apiKey, seed, workers: 6, accounts: 40 });
    const load = await startHostLoad({ rest, tenant, hosts: addresses, seed });
    const names = Object.keys(faults);
    for (const round of rounds(names.length)) {
      const name = names[round % names.length]!;
      await events.progress(30);
      await faults[name]!(Math.floor(random() * hosts.length), random);
      if (soakSeconds > 0) console.log(round, name, { events: events.answered.length, ...load.counts });
    }
    await events.progress(30);
    const answered = await events.stop();
    const reader = restAs(addresses()[0]!, tenant);
    await load.stopAndCheck(reader, db);

    await expectCounted({ rest: reader, db }, game, answered);
    await expectReplayed(reader, answered);
    await expect.poll(waitingWebhooks, { timeout: 60_000 }).toBe(0);
    expect(await closingsTold()).toEqual(await closingsStored());
  },
);

/** Webhooks without an outcome. */
async function waitingWebhooks(): Promise<number> {
  const rows = await db.unitOfWork(tenant.clientId, (uow) => uow.query('select 1 from outbox_message'));
  return rows.length;
}

/** Closings whose webhook has come, each once: a sender that died may have sent one that is sent again. */
async function closingsTold(): Promise<string[]> {
  type Item = { readonly accountId: string; readonly campaignId: string };
  const items = receiver.received.flatMap(({ body }) => JSON.parse(body) as Item[]);
  return [...new Set(items.map(({ accountId, campaignId }) => `${accountId} ${campaignId}`))].toSorted();
}

async function closingsStored(): Promise<string[]> {
  const rows = await db.unitOfWork(tenant.clientId, (uow) =>
    uow.query<{ closing: string }>(`select account_id || ' ' || campaign_id as closing from campaign_completion`),
  );
  return rows.map(({ closing }) => closing).toSorted();
}
