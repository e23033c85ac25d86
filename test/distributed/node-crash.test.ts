import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { crash } from '../support/citus.ts';
import { databaseName } from '../support/databases.ts';
import { startService, type TestService } from '../support/service.ts';
import { seed } from '../faults/bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from '../faults/support/counted-game.ts';
import { startEventLoad } from '../faults/support/event-load.ts';

const cluster = inject('cluster')!;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const becomesReady = () =>
  expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status, { timeout: 60_000 }).toBe(200);

test(
  'after a crash of each node under load every answered event is there, once, and the service recovers by itself',
  { timeout: 600_000 },
  async () => {
    const game = await newCountedGame(service.rest, service);
    const load = startEventLoad({ baseUrl: () => service.baseUrl, apiKey: service.apiKey, seed, workers: 8 });
    for (const node of [...cluster.nodeUrls, cluster.url]) {
      await load.progress(30);
      await crash(node, databaseName(service.databaseUrl));
      await becomesReady();
    }
    await load.progress(30);
    const answered = await load.stop();
    expect(load.repeated).toBeGreaterThan(0);
    await expectCounted(service, game, answered);
    await expectReplayed(service.rest, answered);
  },
);
