import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { LIMITS, rounds } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { startGrpcCallers, startRestCallers } from './support/steady-callers.ts';

let database: TestDatabase;
let tenant: Tenant;
let hosts: ServiceProcess[];
let balancer: Balancer;

const env = { LAUREL_DRAIN_DELAY_MS: '2000' };

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  hosts = await Promise.all([1, 2, 3].map(() => startServiceProcess(database.url, { env })));
  balancer = await startBalancer(hosts.map(({ port }) => port));
});
afterAll(async () => {
  await balancer.close();
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  await database.drop();
});

test(
  'while three hosts behind a balancer are restarted in turn no call fails, over REST or gRPC, and none is counted twice',
  { timeout: 2 * LIMITS.timeout },
  async () => {
    const rest = restAs(balancer.baseUrl, tenant);
    await newGame(
      { rest, ...tenant },
      { codes: { LOGIN: 'SINGLE' }, missions: [{ programmaticCode: 'LOGIN', target: 1_000_000_000 }] },
    );
    const callers = { baseUrl: balancer.baseUrl, apiKey: tenant.apiKey, callers: 8 };
    const overRest = startRestCallers({ ...callers, accountId: 'rest' });
    const overGrpc = startGrpcCallers({ ...callers, accountId: 'grpc' });
    for (const _ of rounds(1)) {
      for (const [index, host] of hosts.entries()) {
        expect(await host.end('SIGTERM')).toBe(0);
        hosts[index] = await startServiceProcess(database.url, { env, port: host.port });
        await expect.poll(balancer.ready, { timeout: 5_000 }).toContain(host.port);
      }
    }
    await Promise.all([overRest.stop(), overGrpc.stop()]);

    expect({ rest: overRest.failures, grpc: overGrpc.failures }).toEqual({ rest: [], grpc: [] });
    for (const [accountId, { answered }] of Object.entries({ rest: overRest, grpc: overGrpc })) {
      const { body } = await rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
      expect(body).toMatchObject([{ progress: answered }]);
    }
    await expectExact(database.db);
  },
);
