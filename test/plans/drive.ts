import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import fc from 'fast-check';
import { alertsOf } from '../operations/alerts/fixture.ts';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import { expect, vi } from 'vitest';
import { routes } from '../../gen/routes.ts';
import { scheduledJobs } from '../../src/housekeeping/scheduled-jobs.ts';
import { hasSample, nameOf, restRequest, samplesOf } from '../contract/support/requests.ts';
import { newWorld, tokenFor } from '../contract/support/world.ts';
import type { TestService } from '../support/service.ts';
import { load } from '../operations/imports/files.ts';
import { step } from '../properties/calls.ts';
import { newWorld as newPlay, type Nodes } from '../properties/world.ts';

/** Operations that delete or end a resource are last, so that the others still find it. */
const LAST = /\.(delete|erase|archive|end|revoke|cancel|discard|withdraw|remove|pause|reset|unpublish|unfreeze)/;

/** Calls every operation once, as a client that owns one of each resource. */
export async function callEverything(service: TestService): Promise<void> {
  const tenant = await service.newTenant();
  const world = await newWorld(service, tenant, 'WORLD');
  const sampled = routes.filter(hasSample);
  for (const route of [...sampled.filter(isEarly), ...sampled.filter((each) => !isEarly(each))]) {
    for (const sample of samplesOf(route)) {
      const { method, path, body } = restRequest(route, sample(world));
      const { status } = await service.rest(method, path, body, tokenFor(tenant, path));
      expect(status, `${method} ${path}`).toBeLessThan(500);
    }
  }
}

function isEarly(route: (typeof routes)[number]): boolean {
  return !LAST.test(nameOf(route));
}

/** Plays the actions of two accounts in a complete world: events, rewards, chests, the shop, restocks. */
export async function play(nodes: Nodes, steps: number): Promise<void> {
  const world = await newPlay(nodes);
  let calls = 0;
  for (const { hours, calls: wanted } of fc.sample(step, { seed: 7, numRuns: steps })) {
    nodes.clock.set(nodes.clock.read().getTime() + hours * 3_600_000);
    const group = wanted.flatMap((each) => {
      if (typeof each === 'number') return [];
      calls += 1;
      return [{ ...('action' in each ? each.action : each), operationId: `operation ${calls}` }];
    });
    const chests = await world.chestsOf('ada');
    await Promise.all(
      group.map((call) =>
        world.send(call.do === 'openChest' && chests.length > 0 ? { ...call, who: 'ada', chestId: chests[0] } : call),
      ),
    );
  }
  await world.settled();
  await world.observedState();
}

/** Loads kinds of files, makes the rare calls, and runs housekeeping. */
export async function workInTheBackground(service: TestService): Promise<void> {
  const audience = await service.rest('POST', '/admin/audiences', { name: 'Loaded', kind: 'MANUAL' });
  for (const name of ['Ada', 'Adele']) {
    const rows = [`externalId,name`, ...Array.from({ length: 50 }, (_, index) => `user-${index},${name}`)];
    await load(service, `${rows.join('\n')}\n`, { audienceId: audience.body.id });
  }
  const product = await service.rest('POST', '/admin/products', { name: 'Coupon', stockMode: 'CODES' });
  await load(service, 'externalId,statistic,value\nuser-1,none,5\n', { type: 'STATISTICS', fileName: 'values.csv' });
  await load(service, 'code\nA\nB\n', { type: 'PRODUCT_CODES', fileName: 'codes.csv', productId: product.body.id });
  const days = { operationDays: 30, deliveryDays: 30, auditDays: 30, journalDays: 7 };
  const jobs = scheduledJobs(days, {
    dispatcher: { wake: vi.fn() },
    parts: partsOfAccount,
    catalogs: createCatalogs(),
    secrets: createSecretBox([Buffer.alloc(32, 1)]),
    alerts: alertsOf(service),
  });
  for (const { runForAll, due, run } of jobs) {
    if (runForAll) await service.db.systemUnitOfWork((uow) => runForAll(uow, new Date()));
    if (due) await service.db.systemUnitOfWork((uow) => due(uow, new Date()));
    await run(service.db, service.clientId, new Date());
  }
}
