import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveriesOf, enqueue, waitingOf } from '../operations/webhooks/fixture.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let database: TestDatabase;
let tenant: Tenant;
let receiver: Receiver;
let other: ServiceProcess;
let knowing: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  receiver = await startReceiver();
  const LAUREL_SECRET_KEYS = Buffer.alloc(32, 'other').toString('base64');
  // Without a stored secret, a host cannot notice that its key differs.
  other = await startServiceProcess(database.url, { env: { LAUREL_SECRET_KEYS } });
  knowing = await startServiceProcess(database.url);
});
afterAll(async () => {
  await Promise.all([other, knowing].map((process) => process.end('SIGKILL')));
  await receiver.close();
  await database.drop();
});

test(
  'a host without the key of a webhook leaves its messages to one that has it, and is not ready',
  LIMITS,
  async () => {
    const stored = await restAs(knowing.baseUrl, tenant)('PUT', '/webhooks/rewards', {
      endpoint: receiver.url,
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'X-Key',
      authenticationValue: 'a-secret-value',
      signed: true,
    });
    expect(stored.status).toBeLessThan(300);
    for (let round = 0; round < 3; round += 1) {
      const bodies = Array.from({ length: 20 }, (_, index) => JSON.stringify([20 * round + index]));
      await enqueue(database.db, tenant.clientId, bodies);
      await expect.poll(() => waitingOf(database.db, tenant.clientId), { timeout: 10_000 }).toBe(0);
    }
    const deliveries = await deliveriesOf(database.db, tenant.clientId);
    expect(deliveries.filter(({ outcome }) => outcome !== 'DELIVERED')).toEqual([]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(60);
    expect(receiver.received).toHaveLength(60);

    const readiness = async (host: ServiceProcess) => (await fetch(`${host.baseUrl}/readyz`)).status;
    await expect.poll(() => readiness(other), { timeout: 20_000 }).toBe(503);
    expect(await (await fetch(`${other.baseUrl}/readyz`)).text()).toContain('key');
    expect(await readiness(knowing)).toBe(200);
  },
);

test('alone, such a host keeps the messages until a host with the key comes', LIMITS, async () => {
  await knowing.end('SIGTERM');
  await enqueue(database.db, tenant.clientId, ['["later"]']);
  // Several intervals between two looks for messages.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await waitingOf(database.db, tenant.clientId)).toBe(1);
  knowing = await startServiceProcess(database.url);
  await expect.poll(() => receiver.received.at(-1)?.body, { timeout: 5_000 }).toBe('["later"]');
});
