import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] }));
  const tags = { name: 'tags', type: 'STRING_LIST' };
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'BUY', type: 'AMOUNT', attributes: [tags] }));
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' }));
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);

const MISSION = { scope: 'MISSION_CONDITION', programmaticCodes: ['BUY'] };
const RULE = { scope: 'AUDIENCE_RULE' };
const REWARD = { scope: 'REWARD_AMOUNT' };

const check = (expression: string, use: object = MISSION) =>
  ok(admin('POST', '/admin/expressions/check', { expression, ...use }));

describe('a valid expression', () => {
  test.each([
    ['event.amount >= 3 && account.tier == "GOLD"', MISSION, 'BOOLEAN', 7, ['event.amount', 'account.tier']],
    ['event.tags.exists(t, t == "a")', MISSION, 'BOOLEAN', 1 + 3 * 32, ['event.tags']],
    [
      'account.tier == "GOLD" || now > account.createdAt',
      RULE,
      'BOOLEAN',
      7,
      ['account.tier', 'now', 'account.createdAt'],
    ],
    ['event.amount * 2', REWARD, 'NUMBER', 3, ['event.amount']],
    ['2', { ...REWARD, programmaticCodes: ['VISIT', 'BUY'] }, 'NUMBER', 1, []],
  ])('%s has its type, its cost and its names', async (expression, use, type, cost, names) => {
    expect(await check(expression, use)).toEqual({ valid: true, type, cost, names, mistakes: [] });
  });
});

describe('a mistake', () => {
  test('is a normal answer, with its range, the message and what would fit', async () => {
    expect(await check('event.amount > 2 &&\n  event.tag == "a"')).toEqual({
      valid: false,
      names: [],
      mistakes: [
        {
          ...{ field: 'expression', line: 2, column: 3, endLine: 2, endColumn: 12 },
          message:
            'There is no event.tag. Known names: event.tags, account.tier, account.createdAt, account.audiences, mission.progress, now, event.amount.',
          expected: [
            'event.tags',
            'account.tier',
            'account.createdAt',
            'account.audiences',
            'mission.progress',
            'now',
            'event.amount',
          ],
        },
      ],
    });
  });

  test('of the type leaves type, cost and names in the answer', async () => {
    expect(await check('event.amount', MISSION)).toMatchObject({
      ...{ valid: false, type: 'NUMBER', cost: 1, names: ['event.amount'] },
      mistakes: [{ message: 'The expression is a NUMBER, but must be a BOOLEAN.', expected: ['BOOLEAN'] }],
    });
    expect((await check('event.amount > 2', REWARD)).mistakes).toMatchObject([{ expected: ['NUMBER'] }]);
  });

  test.each([
    ['', MISSION, 'An expression must not be empty.'],
    ['1 < '.repeat(1_001), MISSION, 'An expression has at most 4000 characters.'],
    [
      'event.amount > 2',
      RULE,
      'There is no event.amount. Known names: account.tier, account.createdAt, account.audiences, now.',
    ],
    ['event.price * 2', REWARD, expect.stringMatching(/^There is no event\.price\./)],
  ])('in %.20s is said for its scope', async (expression, use, message) => {
    expect(await check(expression, use)).toMatchObject({ valid: false, mistakes: [{ message }] });
  });

  test('of one of several codes names the code', async () => {
    const use = { ...REWARD, programmaticCodes: ['BUY', 'VISIT'] };
    const { valid, mistakes } = await check('event.amount', use);
    expect(valid).toBe(false);
    expect(mistakes).toMatchObject([{ message: expect.stringMatching(/^For VISIT: There is no event\.amount\./) }]);
  });
});

test.each([
  ['an unknown code', { ...MISSION, programmaticCodes: ['NONE'] }, 404, 'EVENT_DEFINITION_NOT_FOUND'],
  ['no code', { scope: 'MISSION_CONDITION' }, 400, 'BAD_REQUEST'],
  ['a code beside a rule', { ...RULE, programmaticCodes: ['BUY'] }, 400, 'BAD_REQUEST'],
  ['no scope', { programmaticCodes: ['BUY'] }, 400, 'BAD_REQUEST'],
])('%s is refused', async (_, use, status, code) => {
  const answer = await admin('POST', '/admin/expressions/check', { expression: 'true', ...use });
  expect(answer).toMatchObject({ status, body: { code } });
});

test('the codes and the attributes of another client do not exist', async () => {
  const other = await service.newTenant();
  const checkAs = (body: object) => service.rest('POST', '/admin/expressions/check', body, other.adminToken);
  expect(await checkAs({ expression: 'true', ...MISSION })).toMatchObject({ status: 404 });
  const { body } = await checkAs({ expression: 'account.tier == "GOLD"', ...RULE });
  expect(body).toMatchObject({
    valid: false,
    mistakes: [{ expected: ['account.createdAt', 'account.audiences', 'now'] }],
  });
});
