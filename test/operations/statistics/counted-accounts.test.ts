// The number of accounts of RULE audiences over statistics: it reads statistics in another way than the list of the accounts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restAs, type RestAnswer, sharedService, type TestService } from '../../support/service.ts';

type Json = RestAnswer['body'];

/** Accounts of the client: each has as many events as its number says. */
const ACCOUNTS = 12;

let service: TestService;
let manualId = '';

beforeAll(async () => {
  service = await sharedService();
  const other = restAs(service.baseUrl, await service.newTenant());
  for (const rest of [service.rest, other]) {
    const ok = async (path: string, body: Json) =>
      expect((await rest('POST', path, body)).status, path).toBeLessThan(300);
    await ok('/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT' });
    for (const [code, aggregation] of Object.entries({ orders: 'COUNT', spent: 'SUM', largest: 'MAX' }))
      await ok('/admin/statistic-definitions', {
        statisticDefinition: { code, programmaticCode: 'ORDER', aggregation, period: 'MONTH' },
      });
    await ok('/admin/level-tracks', {
      levelTrack: {
        code: 'tier',
        name: 'Tier',
        statisticCode: 'spent',
        levels: [{ code: 'high', name: 'High', threshold: 30 }],
      },
    });
    const triggers = Array.from({ length: ACCOUNTS }, (_, account) =>
      Array.from({ length: rest === other ? ACCOUNTS : account }, (__, event) => ({
        ...{ programmaticCode: 'ORDER', idType: 'EXTERNAL', accountId: `${account}`, metadata: { amount: event + 1 } },
      })),
    );
    for (let account = 0; account < ACCOUNTS; account += 1) await ok('/accounts', { externalId: `${account}` });
    await ok('/gamification/triggers/batch', { triggers: triggers.flat() });
  }
  const { body } = await service.rest('POST', '/admin/audiences', { name: 'Friends', kind: 'MANUAL' });
  manualId = body.id;
  const { rows } = (await service.rest('GET', '/accounts/paginated?page=1&limit=100')).body;
  const friend = (rows as Json[]).find(({ externalId }) => externalId === '0');
  const joined = await service.rest('POST', `/gamification/audiences/${manualId}/accounts/assign`, {
    accountIds: [friend.id],
  });
  expect(joined.status, JSON.stringify(joined.body)).toBeLessThan(300);
});
afterAll(() => service.close());

test.each([
  ['account.statistics.orders >= 3.0', 9],
  ['account.statistics.orders == 0.0', 1],
  // An account without events has no value of MAX.
  ['has(account.statistics.largest)', 11],
  ['!has(account.statistics.largest) || account.statistics.largest > 10.0', 2],
  ['account.statistics.orders >= 2.0 && account.statistics.spent < 40.0 && account.statistics.largest < 5.0', 3],
  ['account.levels.tier >= 1.0 && account.statistics.orders < 10.0', 2],
  ['true', 12],
])('%s holds for %i accounts, counted at once and one by one', async (expression, count) => {
  const counted = await service.rest('POST', '/admin/expressions/count', { scope: 'AUDIENCE_RULE', expression });
  expect(counted.body).toMatchObject({ matching: count });
  const { id } = (await service.rest('POST', '/admin/audiences', { name: expression, kind: 'RULE', expression })).body;
  expect((await service.rest('GET', `/admin/audiences/${id}`)).body).toMatchObject({ memberCount: count });
  const listed = await service.rest('GET', `/admin/audiences/${id}/members/paginated?page=1&limit=100`);
  expect(listed.body.rows).toHaveLength(count);
});

test('several audiences count an account once, those of a rule and members by hand together', async () => {
  const body = { name: 'Regulars', kind: 'RULE', expression: 'account.statistics.orders >= 6.0' };
  const { id } = (await service.rest('POST', '/admin/audiences', body)).body;
  const reach = await service.rest('POST', '/admin/campaigns/reach', { audienceIds: [id, manualId] });
  expect(reach.body, JSON.stringify(reach.body)).toMatchObject({ members: 7 });
});
