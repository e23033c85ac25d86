import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdAccount, inboxOf, untilApplied } from '../operations/triggers/inbox-fixture.ts';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { expectExact } from './expect-exact.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PATIENCE = { timeout: 2 * LIMITS.timeout };
const HELD_MS = 8_000;

async function accept(accountId: string, operationId: string): Promise<void> {
  const event = { operationId, accountId, idType: 'EXTERNAL', programmaticCode: 'STEP' };
  expect(await service.rest('POST', '/gamification/triggers/async', event)).toMatchObject({ status: 200 });
}

/** The operations that were applied. */
async function appliedOf(prefix: string): Promise<string[]> {
  const rows = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ id: string }>(`select id from operation where id like $1`, [`${prefix}-%`]),
  );
  return rows.map(({ id }) => id);
}

/** How far the mission was after an operation that was applied, as its stored answer tells. */
async function progressAfter(accountId: string, operationId: string): Promise<number> {
  const event = { operationId, accountId, idType: 'EXTERNAL', programmaticCode: 'STEP' };
  const { body } = await service.rest('POST', '/gamification/triggers', event);
  return body.progressedMissions[0].progress;
}

test(
  'a held account delays the asynchronous events of no other; its own are applied afterwards, in order and once',
  PATIENCE,
  async () => {
    await newGame(service, { codes: { STEP: 'SINGLE' }, missions: [{ programmaticCode: 'STEP', target: 1_000 }] });
    for (const account of ['held', ...Array.from({ length: 50 }, (_, at) => `other-${at}`)])
      await service.rest('POST', '/accounts/resolve', { externalId: account });
    const release = await holdAccount(service, 'held');
    const released = new Promise((resolve) => setTimeout(resolve, HELD_MS)).then(release);

    const own = Array.from({ length: 20 }, (_, at) => `held-${at}`);
    for (const id of own.slice(0, 10)) await accept('held', id);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 50 }, (_, at) => accept(`other-${at}`, `other-${at}`)));
    await expect.poll(() => appliedOf('other').then((ids) => ids.length), { timeout: 6_000, interval: 20 }).toBe(50);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(await appliedOf('held')).toEqual([]);
    // Some come while the others wait, some when the row is just free.
    for (const id of own.slice(10, 15)) await accept('held', id);
    await released;
    for (const id of own.slice(15)) await accept('held', id);

    await untilApplied(service);
    const progress = [];
    for (const id of own) progress.push(await progressAfter('held', id));
    expect(progress).toEqual(own.map((_, at) => at + 1));
    expect(await inboxOf(service)).toEqual([]);
    await expectExact(service.db);
  },
);
