// Counts of the events in the journal and of the accounts for which an expression holds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countEvents } from '../../../src/campaigns/expressions/count-events.ts';
import type { ClientCatalog } from '../../../src/campaigns/catalog/catalog.ts';
import { recentEvents } from '../../../src/journal/recent-events.ts';
import { atOnce } from '../../../src/kernel/concurrency/time-slices.ts';
import { ok } from '../../support/administration.ts';
import { settledUser } from '../clients/console.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startService();
  tenant = await service.newTenant();
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] }));
  await ok(
    admin('POST', '/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT', attributes: ATTRIBUTES }),
  );
});
afterAll(() => service.close());

const ATTRIBUTES = [
  { name: 'category', type: 'STRING' },
  { name: 'items', type: 'NUMBER' },
  { name: 'tags', type: 'STRING_LIST' },
  { name: 'coupon', type: 'STRING', personal: true },
];

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

const EVENTS = { scope: 'MISSION_CONDITION', programmaticCodes: ['ORDER'] };
const ACCOUNTS = { scope: 'AUDIENCE_RULE' };
const count = (expression: string, use: object = EVENTS) =>
  ok(admin('POST', '/admin/expressions/count', { expression, ...use }));

let accounts = 0;
const newAccount = (body: object = {}) =>
  ok(app('POST', '/accounts', { externalId: `counted-${(accounts += 1)}`, ...body }));

const CONDITIONS = [
  'event.category == "coffee"',
  'event.category == "coffee" && event.amount >= 3',
  'event.amount / event.items >= 2.5',
  '!has(event.items)',
  'event.tags.exists(tag, tag.startsWith("v")) || event.items > 3',
  'account.tier == "GOLD" ? event.amount >= 1 : event.amount >= 5',
  'event.coupon == "SAVE"',
  'now.getHours() < 12',
  'now.getHours() < 12 && now - account.createdAt < duration("1h")',
];

describe('a count of events', () => {
  test('is the number of events that missions with the same conditions counted', async () => {
    const { id: audienceId } = await ok(admin('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' }));
    const missions = [];
    for (const expression of CONDITIONS) {
      const mission = {
        type: 'MISSION',
        name: expression,
        programmaticCode: 'ORDER',
        target: 1e6,
        conditions: { expression },
      };
      missions.push((await ok(admin('POST', '/admin/missions', { audienceId, mission }))).id as string);
    }
    // Twelve hours apart, so that one of them has its morning.
    const players = [
      await newAccount({ attributes: { tier: 'GOLD' }, timeZone: 'America/Lima' }),
      await newAccount({ attributes: { tier: 'SILVER' }, timeZone: 'Asia/Bangkok' }),
      await newAccount({ timeZone: 'America/Lima' }),
    ];
    const counted = new Map(missions.map((id) => [id, 0]));
    const draw = drawing(20_261_126);
    for (let sent = 0; sent < 300; sent += 1) {
      const event = {
        programmaticCode: 'ORDER',
        accountId: draw(players).id as string,
        metadata: {
          amount: draw([0.5, 1, 2.5, 3, 7.25, 10]),
          ...draw([{}, { category: 'coffee' }, { category: 'tea' }]),
          ...draw([{}, { items: 0 }, { items: 2 }, { items: 4 }]),
          ...draw([{}, { tags: ['vegan', 'hot'] }, { tags: [] }]),
          ...draw([{}, { coupon: 'SAVE' }]),
        },
      };
      const { progressedMissions } = await ok(app('POST', '/gamification/triggers', event));
      for (const { missionId } of progressedMissions) counted.set(missionId, (counted.get(missionId) ?? 0) + 1);
    }
    const answers = [];
    for (const expression of CONDITIONS) answers.push(await count(expression));
    const matching = answers.map((answer) => answer.matching as number);
    expect(matching).toEqual(missions.map((id) => counted.get(id)));
    // Each condition holds for some of the events, and not for others.
    expect(matching.every((each) => each > 0 && each < 300)).toBe(true);
    expect(answers.every(({ examined }) => examined === 300)).toBe(true);
    // Events without any attribute lack what most conditions need.
    expect(answers.map(({ undecided }) => undecided > 0)).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  }, 60_000);

  test('examines the latest events of its codes', async () => {
    await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'CLICK', type: 'SINGLE' }));
    await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'TIP', type: 'AMOUNT' }));
    const { id } = await newAccount();
    for (const amount of [1, 2, 3, 4]) {
      await ok(app('POST', '/gamification/triggers', { programmaticCode: 'CLICK', accountId: id }));
      await ok(app('POST', '/gamification/triggers', { programmaticCode: 'TIP', accountId: id, metadata: { amount } }));
    }
    const tips = { ...EVENTS, programmaticCodes: ['TIP'] };
    expect(await count('event.amount <= 3', { ...tips, eventsMax: 2 })).toEqual({
      matching: 1,
      examined: 2,
      undecided: 0,
    });
    expect(await count('event.amount <= 3', tips)).toEqual({ matching: 3, examined: 4, undecided: 0 });
    const { rows } = await ok(admin('GET', `/admin/journal?accountId=${id}`));
    const amounts = [4, undefined, 3, undefined, 2, undefined, 1, undefined];
    expect(rows.map(({ amount }: { amount?: number }) => amount)).toEqual(amounts);
    const both = { ...EVENTS, programmaticCodes: ['TIP', 'CLICK'] };
    expect(await count('now == now', { ...both, eventsMax: 5 })).toEqual({ matching: 5, examined: 5, undecided: 0 });
    expect(await count('now == now', both)).toMatchObject({ matching: 8 });
  });

  test('examines an event that was taken back, and not its reversal', async () => {
    await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'RETURNED', type: 'SINGLE' }));
    const { id } = await newAccount();
    const event = { programmaticCode: 'RETURNED', accountId: id, operationId: 'returned' };
    await ok(app('POST', '/gamification/triggers', event));
    const reversal = { programmaticCode: 'RETURNED', triggerOperationId: 'returned' };
    await ok(app('POST', '/gamification/triggers/reversals', reversal));
    const returned = { ...EVENTS, programmaticCodes: ['RETURNED'] };
    expect(await count('now == now', returned)).toEqual({ matching: 1, examined: 1, undecided: 0 });
  });

  test('cannot judge events whose account is deleted, or whose amount was not kept', async () => {
    await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'GIFT', type: 'AMOUNT' }));
    const gifts = { ...EVENTS, programmaticCodes: ['GIFT'] };
    const [left, gone] = [await newAccount(), await newAccount()];
    for (const { id } of [left, gone]) {
      await ok(
        app('POST', '/gamification/triggers', { programmaticCode: 'GIFT', accountId: id, metadata: { amount: 2 } }),
      );
    }
    await app('DELETE', `/accounts/${gone.id}`);
    expect(await count('event.amount == 2', gifts)).toEqual({ matching: 1, examined: 2, undecided: 1 });
    // As an earlier release wrote them.
    await service.db.systemUnitOfWork((uow) =>
      uow.query(
        `update journal_batch set entries = replace(entries::text, '{"v":2}', '0')::json where client_id = $1`,
        [tenant.clientId],
      ),
    );
    expect(await count('event.amount == 2', gifts)).toEqual({ matching: 0, examined: 2, undecided: 2 });
    expect(await count('now == now', gifts)).toEqual({ matching: 1, examined: 2, undecided: 1 });
  });

  test('ends with the events that were read in time, which are the latest', async () => {
    const read = (isOver: () => boolean) =>
      service.db.unitOfWork(tenant.clientId, (uow) =>
        recentEvents(uow, { codes: ['ORDER'], eventsMax: 1_000, isOver }),
      );
    const [all, some] = [await read(() => false), await read(() => true)];
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    expect(some).toEqual(all.slice(0, some.length));
    const count = countEvents(
      { events: all, accounts: new Map(), audienceNames: new Map() },
      new Map(),
      {} as ClientCatalog,
      () => true,
    );
    expect(atOnce(count)).toEqual({ matching: 0, examined: 20, undecided: 20, lacking: 0 });
  });

  test('is zero of zero without events, and has none of another client', async () => {
    const other = await service.newTenant();
    const path = '/admin/event-definitions';
    await ok(service.rest('POST', path, { programmaticCode: 'ORDER', type: 'AMOUNT' }, other.adminToken));
    const body = { expression: 'event.amount >= 0', ...EVENTS };
    expect(await ok(service.rest('POST', '/admin/expressions/count', body, other.adminToken))).toEqual({
      ...{ matching: 0, examined: 0, undecided: 0 },
    });
  });

  test('with a personal attribute is for those who may write missions', async () => {
    const { accessToken: viewer } = (await settledUser(service, tenant.adminToken, 'VIEWER')).answer.body;
    const countAs = (expression: string) =>
      service.rest('POST', '/admin/expressions/count', { expression, ...EVENTS }, viewer);
    expect(await countAs('event.items > 1')).toMatchObject({ status: 200 });
    expect(await countAs('event.items > 1 || event.coupon == "SAVE"')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('event.coupon is personal') },
    });
  });
});

describe('a count of accounts', () => {
  test('is the number of the accounts for which the expression holds, without deleted ones and those of other clients', async () => {
    const own = await service.newTenant();
    const as = (method: string, path: string, body?: unknown) => service.rest(method, path, body, own.adminToken);
    await ok(as('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] }));
    const ids = [];
    for (const tier of ['GOLD', 'GOLD', 'SILVER', undefined]) {
      const { body } = await service.rest('POST', '/accounts', { attributes: { ...(tier && { tier }) } }, own.apiKey);
      ids.push(body.id);
    }
    const countOwn = (expression: string) => ok(as('POST', '/admin/expressions/count', { expression, ...ACCOUNTS }));
    expect(await countOwn('account.tier == "GOLD"')).toEqual({ matching: 2 });
    expect(await countOwn('has(account.tier) && now - account.createdAt < duration("1h")')).toEqual({ matching: 3 });
    await service.rest('DELETE', `/accounts/${ids[0]}`, undefined, own.apiKey);
    expect(await countOwn('account.tier == "GOLD"')).toEqual({ matching: 1 });
    const { body: rule } = await as('POST', '/admin/audiences', {
      name: 'R',
      kind: 'RULE',
      expression: '!has(account.tier)',
    });
    const { memberCount } = await ok(as('GET', `/admin/audiences/${rule.id}`));
    expect(await countOwn('!has(account.tier)')).toEqual({ matching: memberCount });
  });

  test('that takes more than five seconds is stopped, and the answer says so', async () => {
    const body = { expression: 'now == now', ...ACCOUNTS };
    const answer = await service.db.systemUnitOfWork(async (uow) => {
      await uow.query('lock table account in access exclusive mode');
      return admin('POST', '/admin/expressions/count', body);
    });
    expect(answer).toMatchObject({
      status: 413,
      body: {
        code: 'COUNT_TOO_LARGE',
        message: expect.stringMatching(/^The count of the accounts takes longer than 5 seconds/),
      },
    });
  }, 30_000);
});

test.each([
  [
    'a mistake',
    { ...EVENTS, expression: 'event.none' },
    400,
    'BAD_REQUEST',
    /^expression, line 1, column 1: There is no event\.none/,
  ],
  ['a number', { ...EVENTS, expression: 'event.amount' }, 400, 'BAD_REQUEST', /must be a BOOLEAN/],
  [
    'a mistake in a rule',
    { ...ACCOUNTS, expression: 'event.amount > 2' },
    400,
    'BAD_REQUEST',
    /There is no event\.amount/,
  ],
  ['a formula', { scope: 'REWARD_AMOUNT', expression: '2' }, 400, 'BAD_REQUEST', /scope/],
  ['an unknown code', { ...EVENTS, programmaticCodes: ['NONE'] }, 404, 'EVENT_DEFINITION_NOT_FOUND', /NONE/],
  ['no code', { scope: 'MISSION_CONDITION' }, 400, 'BAD_REQUEST', /programmaticCodes/],
  ['a code beside a rule', { ...ACCOUNTS, programmaticCodes: ['ORDER'] }, 400, 'BAD_REQUEST', /programmaticCodes/],
  ['a number of events beside a rule', { ...ACCOUNTS, eventsMax: 5 }, 400, 'BAD_REQUEST', /eventsMax/],
  ['too many events', { ...EVENTS, eventsMax: 10_001 }, 400, 'BAD_REQUEST', /eventsMax/],
])('a count with %s is refused', async (_, request, status, code, message) => {
  expect(await admin('POST', '/admin/expressions/count', { expression: 'now == now', ...request })).toMatchObject({
    status,
    body: { code, message: expect.stringMatching(message) },
  });
});

/** Draws entries of lists, the same ones for a seed. */
function drawing(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return from[(state >>> 16) % from.length]!;
  };
}
