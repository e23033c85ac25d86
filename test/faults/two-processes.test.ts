import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, rounds, seed } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './support/counted-game.ts';
import { startEventLoad } from './support/event-load.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { startShopLoad } from './support/shop-load.ts';

let database: TestDatabase;
let tenant: Tenant;
let processes: ServiceProcess[];
let receiver: Receiver;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  processes = await Promise.all([startServiceProcess(database.url), startServiceProcess(database.url)]);
  receiver = await startReceiver();
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.end('SIGKILL')));
  await receiver.close();
  await database.drop();
});

test(
  'two processes on one database under mixed load keep every invariant and send each webhook once',
  LIMITS,
  async () => {
    const rests = processes.map(({ baseUrl }) => restAs(baseUrl, tenant));
    const rest = rests[0]!;
    await rest('PUT', '/webhooks/rewards', { endpoint: receiver.url });
    const game = await newCountedGame(rest, tenant);
    let call = 0;
    const baseUrl = () => processes[(call += 1) % 2]!.baseUrl;
    const load = startEventLoad({ baseUrl, apiKey: tenant.apiKey, seed, accounts: 25 });
    const shop = await startShopLoad({ processes: rests, couponId: game.couponId, seed });
    for (const _ of rounds(1)) await load.progress(500);
    const answered = await load.stop();
    await shop.stopAndCheck();
    await expectCounted({ rest, db: database.db }, game, answered);
    await expectReplayed(rest, answered);
    const earned = await delivered(rest, new Set(answered.map(({ accountId }) => accountId)));
    expect(earned.length).toBeGreaterThan(0);
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
    expect(
      receiver.received
        .flatMap(({ body }) => JSON.parse(body) as Closing[])
        .map(nameOf)
        .toSorted(),
    ).toEqual(earned);
  },
);

/** The identity of one reward of one closing, in a webhook and in the earned rewards. */
type Closing = { readonly accountId: string; readonly campaignId: string | null; readonly rewardId: string };

function nameOf({ accountId, campaignId, rewardId }: Closing): string {
  return `${accountId} ${campaignId} ${rewardId}`;
}

/** The rewards of closings of the accounts, which the webhooks must have announced. */
async function delivered(rest: Rest, accountIds: ReadonlySet<string>): Promise<string[]> {
  const isDelivered = encodeURIComponent('{"filters":[{"field":"status","value":"DELIVERED"}]}');
  const names = [];
  for (const accountId of accountIds) {
    const path = `/v1/gamification/missions/my-rewards/${accountId}?idType=EXTERNAL&filters=${isDelivered}`;
    const rewards: Closing[] = (await rest('GET', path)).body;
    names.push(...rewards.filter(({ campaignId }) => campaignId !== null).map(nameOf));
  }
  return names.toSorted();
}

/** Webhooks without an outcome. */
function waiting(): Promise<object[]> {
  return database.db.unitOfWork(tenant.clientId, (uow) => uow.query('select 1 from outbox_message'));
}
