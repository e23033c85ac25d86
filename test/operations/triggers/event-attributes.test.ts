import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { holdAccount, untilApplied } from './inbox-fixture.ts';

let service: TestService;
let codes = 0;

beforeAll(async () => {
  service = await startService({ triggerConcurrency: 1 });
  await newGame(service, { missions: [{ target: 1_000_000 }] });
});
afterAll(() => service.close());

const ATTRIBUTES = [
  { name: 'category', type: 'STRING', allowedValues: ['coffee', 'tea', 'milk'] },
  { name: 'price', type: 'NUMBER', min: 0, max: 500 },
  { name: 'isGift', type: 'BOOLEAN' },
  { name: 'orderedAt', type: 'TIMESTAMP' },
  { name: 'tags', type: 'STRING_LIST' },
];

/** A code with declared attributes. */
async function newDefinition(attributes: readonly object[] = ATTRIBUTES, type = 'SINGLE') {
  const programmaticCode = `ATTRIBUTES_${(codes += 1)}`;
  return ok(service.rest('POST', '/admin/event-definitions', { programmaticCode, type, attributes }));
}

/** A code with declared attributes and a campaign with one mission that counts it. */
async function newMission(mission: object, attributes?: readonly object[], type?: string) {
  const definition = await newDefinition(attributes, type);
  const { programmaticCode } = definition;
  const game = await newGame(service, { codes: {}, missions: [{ programmaticCode, target: 100, ...mission }] });
  return { ...game, programmaticCode, definition };
}

const event = (programmaticCode: string, metadata: object | undefined, more: object = {}) => ({
  programmaticCode,
  accountId: 'ada',
  idType: 'EXTERNAL',
  metadata,
  ...more,
});
const emit = (...sent: Parameters<typeof event>) => service.rest('POST', '/gamification/triggers', event(...sent));
type Result = { readonly progressedMissions?: readonly unknown[] };
const counted = ({ body }: { readonly body: Result }): number => body.progressedMissions?.length ?? -1;

describe('the attributes of a definition', () => {
  test('are answered as they were sent, to operators and integrators, and replaced by an update', async () => {
    const attributes = [
      {
        name: 'category',
        type: 'STRING',
        required: true,
        allowedValues: ['tea'],
        personal: true,
        description: 'Kind.',
      },
      { name: 'price', type: 'NUMBER', min: -1.5, max: 20 },
    ];
    const created = await newDefinition(attributes);
    const shown = [
      { ...attributes[0] },
      {
        name: 'price',
        type: 'NUMBER',
        required: false,
        allowedValues: [],
        min: -1.5,
        max: 20,
        personal: false,
        description: '',
      },
    ];
    expect(created.attributes).toEqual(shown);
    const path = `/admin/event-definitions/${created.id}`;
    expect((await service.rest('GET', path)).body).toEqual(created);
    const { body: all } = await service.rest('GET', '/gamification/triggers');
    expect(all).toContainEqual({ programmaticCode: created.programmaticCode, type: 'SINGLE', attributes: shown });
    const updated = await ok(service.rest('PUT', path, { version: 1, name: 'New', attributes: [attributes[1]] }));
    expect(updated.attributes).toEqual([shown[1]]);
    expect((await ok(service.rest('PUT', path, { version: 2, name: 'New' }))).attributes).toBeUndefined();
  });

  test.each([
    [[{ name: 'amount', type: 'NUMBER' }], "attributes[0].name 'amount' is reserved: choose another name."],
    [[{ name: 'in', type: 'STRING' }], "attributes[0].name 'in' is reserved: choose another name."],
    [[{ name: 'constructor', type: 'STRING' }], "attributes[0].name 'constructor' is reserved: choose another name."],
    [
      [
        { name: 'a', type: 'STRING' },
        { name: 'a', type: 'NUMBER' },
      ],
      "attributes[1].name 'a' is there twice: each name stands once.",
    ],
    [
      [{ name: 'a', type: 'NUMBER', allowedValues: ['x'] }],
      'attributes[0].allowedValues is for STRING and STRING_LIST: leave it out.',
    ],
    [
      [{ name: 'a', type: 'STRING', min: 1 }],
      'attributes[0].min and attributes[0].max are for NUMBER: leave them out.',
    ],
    [[{ name: 'a', type: 'NUMBER', min: 2, max: 1 }], 'attributes[0].min must not be above attributes[0].max.'],
    [
      [{ name: 'a', type: 'NUMBER', min: 0.000_01 }],
      'attributes[0].min may have at most 4 decimals, 0.00001 has more.',
    ],
  ])('%j are refused', async (attributes, message) => {
    const programmaticCode = `ATTRIBUTES_${(codes += 1)}`;
    const answer = await service.rest('POST', '/admin/event-definitions', {
      programmaticCode,
      type: 'SINGLE',
      attributes,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', message } });
  });

  test.each([
    ['a name with a space', { name: 'a b', type: 'STRING' }],
    ['no type', { name: 'a' }],
    ['33 attributes', undefined],
  ])('%s is refused', async (_, attribute) => {
    const attributes = attribute
      ? [attribute]
      : Array.from({ length: 33 }, (__, index) => ({ name: `a${index}`, type: 'STRING' }));
    const programmaticCode = `ATTRIBUTES_${(codes += 1)}`;
    const answer = await service.rest('POST', '/admin/event-definitions', {
      programmaticCode,
      type: 'SINGLE',
      attributes,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('that an expression uses can neither go nor change their type; others can', async () => {
    const { definition } = await newMission({
      name: 'Coffees',
      conditions: { expression: 'event.category == "coffee"' },
    });
    const put = (version: number, attributes: readonly object[]) =>
      service.rest('PUT', `/admin/event-definitions/${definition.id}`, { version, name: 'New', attributes });
    const refused = await put(1, ATTRIBUTES.slice(1));
    expect(refused).toMatchObject({ status: 409, body: { code: 'ATTRIBUTE_IN_USE' } });
    expect(refused.body.message).toMatch(/event\.category of campaign '.*', mission 'Coffees'/);
    expect(await put(1, [{ name: 'category', type: 'BOOLEAN' }])).toMatchObject({ status: 409 });
    expect(await put(1, [{ ...ATTRIBUTES[0], allowedValues: [] }])).toMatchObject({ status: 200 });
  });
});

describe('the metadata of an event', () => {
  test.each([
    [{ category: 'coffee', price: 2.5, isGift: true, orderedAt: '2026-11-25T08:00:00.5+01:00', tags: ['hot'] }],
    [{}],
    [undefined],
    [{ category: null, tags: [] }],
  ])('%j fits', async (metadata) => {
    const { programmaticCode } = await newMission({});
    expect(counted(await emit(programmaticCode, metadata))).toBe(1);
  });

  test.each([
    [{ color: 'red' }, "metadata has no attribute 'color'. Declared are: category, price, isGift, orderedAt, tags."],
    [{ color: null }, "metadata has no attribute 'color'. Declared are: category, price, isGift, orderedAt, tags."],
    [{ amount: 2 }, "metadata has no attribute 'amount'. Declared are: category, price, isGift, orderedAt, tags."],
    [{ category: 1 }, 'metadata.category must be a text of at most 255 characters.'],
    [{ category: 'water' }, "metadata.category 'water' is not allowed. Send one of coffee, tea, milk."],
    [{ price: '2' }, 'metadata.price must be a number.'],
    [{ price: 501 }, 'metadata.price must be a number from 0 to 500.'],
    [{ price: 0.000_01 }, 'metadata.price may have at most 4 decimals, 0.00001 has more.'],
    [{ isGift: 'yes' }, 'metadata.isGift must be true or false.'],
    [
      { orderedAt: '2026-02-30T00:00:00Z' },
      'metadata.orderedAt must be a moment such as "2026-11-25T08:00:00Z", to milliseconds.',
    ],
    [{ tags: 'hot' }, 'metadata.tags must be a list of at most 32 texts of at most 255 characters.'],
    [
      { tags: Array.from({ length: 33 }, String) },
      'metadata.tags must be a list of at most 32 texts of at most 255 characters.',
    ],
    [
      { tags: Array.from({ length: 32 }, () => 'x'.repeat(255)), category: 'tea' },
      'metadata has 8283 bytes, at most 8192 are allowed.',
    ],
  ])('%j is refused with words that say what fits', async (metadata, message) => {
    const { programmaticCode } = await newMission({});
    for (const path of ['/gamification/triggers', '/gamification/triggers/async', '/gamification/triggers/simulate']) {
      const answer = await service.rest('POST', path, event(programmaticCode, metadata));
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', message } });
    }
  });

  test('must have what is required, beside the amount of an AMOUNT event', async () => {
    const { programmaticCode } = await newMission({}, [{ name: 'shop', type: 'STRING', required: true }], 'AMOUNT');
    const missing = await emit(programmaticCode, { amount: 3, shop: null });
    const message = 'metadata.shop is required: a text of at most 255 characters.';
    expect(missing).toMatchObject({ status: 400, body: { message } });
    expect(counted(await emit(programmaticCode, { amount: 3, shop: 'Lima' }))).toBe(1);
    expect(await emit(programmaticCode, { shop: 'Lima' })).toMatchObject({ status: 400 });
  });

  test('belongs to the content of an operation id, whatever the order of its keys; null is absent', async () => {
    const { programmaticCode } = await newMission({});
    const operationId = randomUUID();
    const again = (metadata: object) => emit(programmaticCode, metadata, { operationId });
    const first = await again({ category: 'tea', price: 2 });
    expect((await again({ price: 2, category: 'tea', tags: null })).body).toEqual(first.body);
    expect(await again({ category: 'tea', price: 3 })).toMatchObject({
      status: 400,
      body: { code: 'OPERATION_ID_REUSED' },
    });
  });

  test('is judged by the attributes at the acceptance of an event that waits', async () => {
    const { programmaticCode, definition } = await newMission({
      conditions: { expression: 'event.category == "tea"' },
    });
    await emit(programmaticCode, {});
    const release = await holdAccount(service, 'ada');
    const accepted = event(programmaticCode, { category: 'tea' });
    expect(await service.rest('POST', '/gamification/triggers/async', accepted)).toMatchObject({ status: 200 });
    const attributes = [
      { name: 'category', type: 'STRING', allowedValues: ['coffee'] },
      { name: 'shop', type: 'STRING', required: true },
    ];
    await ok(service.rest('PUT', `/admin/event-definitions/${definition.id}`, { version: 1, name: 'New', attributes }));
    await release();
    await untilApplied(service);
    const { body } = await service.rest('GET', '/admin/journal?limit=1');
    expect(body.rows[0]).toMatchObject({ programmaticCode, effect: 'PROGRESSED', attributes: { category: 'tea' } });
  });
});

describe('an expression', () => {
  test('lets events count that it holds for, by all ways in', async () => {
    const { programmaticCode } = await newMission({
      conditions: { expression: 'event.category == "coffee" && event.price > 2' },
    });
    expect(counted(await emit(programmaticCode, { category: 'coffee', price: 2.01 }))).toBe(1);
    expect(counted(await emit(programmaticCode, { category: 'tea', price: 9 }))).toBe(0);
    expect(counted(await emit(programmaticCode, { price: 9 }))).toBe(0);
    const triggers = [{ category: 'coffee', price: 3 }, { category: 'milk' }, { category: 'coffee', price: 2 }];
    const { body } = await service.rest('POST', '/gamification/triggers/batch', {
      triggers: triggers.map((metadata) => event(programmaticCode, metadata)),
    });
    expect(body.results.map(({ result }: { readonly result: Result }) => counted({ body: result }))).toEqual([1, 0, 0]);
  });

  test('is explained by a simulation, with the values of the part that does not hold', async () => {
    const { programmaticCode, missionIds } = await newMission(
      {
        conditions: {
          expression: 'event.price >= 1 && (event.category in ["coffee"] && event.isGift) && event.who == "x"',
        },
      },
      [...ATTRIBUTES, { name: 'who', type: 'STRING', personal: true }],
    );
    const explained = async (metadata: object) => {
      const { body } = await service.rest('POST', '/gamification/triggers/simulate', event(programmaticCode, metadata));
      return body.find(({ missionId }: { readonly missionId: string }) => missionId === missionIds[0]);
    };
    expect(await explained({ price: 3, category: 'tea' })).toMatchObject({
      uncountedReason: 'CONDITION_NOT_MET',
      explanation: 'The mission\'s expression does not hold. event.category is "tea", needed one of "coffee".',
    });
    expect((await explained({ price: 0.5 })).explanation).toContain('event.price is 0.5, needed at least 1.');
    expect((await explained({ price: 1, category: 'coffee' })).explanation).toContain('event.isGift is missing.');
    expect((await explained({ price: 1, category: 'coffee', isGift: false })).explanation).toContain(
      'event.isGift is false.',
    );
    expect((await explained({ price: 1, category: 'coffee', isGift: true, who: 'Ada' })).explanation).toContain(
      'event.who is ***, needed "x".',
    );
    expect(await explained({ price: 1, category: 'coffee', isGift: true, who: 'x' })).toMatchObject({
      explanation: 'The event would count.',
    });
  });

  test('with a mistake is refused with its line and column, and what would fit', async () => {
    const { programmaticCode } = await newDefinition();
    const { audienceId, rewardIds } = await newGame(service);
    const mission = { type: 'MISSION', name: 'One', programmaticCode, target: 1 };
    const created = (expression: string) =>
      service.rest('POST', '/admin/campaigns', {
        name: 'C',
        audienceIds: [audienceId],
        rewardIds,
        missions: [{ ...mission, conditions: { expression } }],
      });
    const answer = await created('event.category == "tea"\n  && event.prise > 2');
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(answer.body.message).toBe(
      'missions[0].conditions.expression, line 2, column 6: There is no event.prise. Known names: event.category, event.price, event.isGift, event.orderedAt, event.tags, account.createdAt, account.audiences, mission.progress, now.',
    );
    expect((await created('event.amount > 1')).body.message).toContain('There is no event.amount.');
    expect((await created('event.price')).body.message).toContain('The expression is a NUMBER, but must be a BOOLEAN.');
    expect(await created('event.price > 1')).toMatchObject({ status: 201 });
  });
});

test('a cooldown counts an event that occurred long enough after the latest that counted, whenever it arrives', async () => {
  const { programmaticCode } = await newMission({ conditions: { cooldownMinutes: 60 } });
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  await service.rest('POST', '/accounts', { externalId: 'cool' });
  const late = (minutes: number) => emit(programmaticCode, {}, { accountId: 'cool', occurredAt: ago(minutes) });
  const outcomes = [];
  // The last one occurred before the one that counted.
  for (const minutes of [0.5, 0.2, 0.4, 0.8]) outcomes.push(counted(await late(minutes)));
  expect(outcomes).toEqual([1, 0, 0, 0]);
});
