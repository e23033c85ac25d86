import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { restAs, type RestAnswer, startService, type TestService } from '../../support/service.ts';

type Json = RestAnswer['body'];

let service: TestService;
let now = Date.parse('2026-12-10T12:00:00Z');

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: Json) => service.rest(method, path, body);
const effectOf = (id: string, code: string) => call('GET', `/admin/campaigns/${id}/effect?statisticCode=${code}`);

function isHeldBack(campaignId: string, accountId: string, percent: number): boolean {
  const digest = createHash('sha256').update(`${campaignId}:${accountId}`).digest();
  return digest.readUInt32BE(0) < (percent / 100) * 2 ** 32;
}

async function statistic(code: string, aggregation: string, period: string): Promise<void> {
  const statisticDefinition = { code, programmaticCode: 'PURCHASE', aggregation, period };
  await ok(call('POST', '/admin/statistic-definitions', { statisticDefinition }));
}

test('the groups, their means and the difference are those of a recount of all accounts', async () => {
  const { campaignId } = await newGame(service, {
    missions: [{ programmaticCode: 'PURCHASE', target: 5 }],
    campaign: { controlGroupPercent: 40 },
  });
  await statistic('spent_day', 'SUM', 'DAY');
  await statistic('spent_ever', 'SUM', 'ALL_TIME');
  await statistic('orders_month', 'COUNT', 'MONTH');
  await statistic('largest', 'MAX', 'DAY');
  const made = await Promise.all(Array.from({ length: 200 }, () => ok(call('POST', '/accounts', {}))));
  const accounts: string[] = made.map(({ id }) => id);
  const spent = new Map<string, number[]>();
  const buy = async (accountId: string, amount: number) => {
    spent.set(accountId, [...(spent.get(accountId) ?? []), amount]);
    await ok(call('POST', '/gamification/triggers', { programmaticCode: 'PURCHASE', accountId, metadata: { amount } }));
  };
  // Members spend more, on two days; a fifth of all spends nothing.
  for (const day of [0, 1]) {
    await Promise.all(
      accounts.map(async (accountId, index) => {
        if (index % 5 > 0) await buy(accountId, (index % 7) + 1 + (isHeldBack(campaignId, accountId, 40) ? 0 : 4));
      }),
    );
    if (day === 0) now += 86_400_000;
  }
  // A deleted account counts in no group.
  const gone = (await ok(call('POST', '/accounts', {}))).id;
  await ok(call('DELETE', `/accounts/${gone}`));

  const held = accounts.filter((id) => isHeldBack(campaignId, id, 40));
  const others = accounts.filter((id) => !held.includes(id));
  const meanOf = (ids: readonly string[], of: (amounts: readonly number[]) => number) =>
    ids.reduce((sum, id) => sum + of(spent.get(id) ?? []), 0) / ids.length;
  const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  for (const [code, of] of [
    ['spent_day', total],
    ['spent_ever', total],
    ['orders_month', (amounts: readonly number[]) => amounts.length],
  ] as const) {
    const effect = await ok(effectOf(campaignId, code));
    expect(effect).toMatchObject({
      offered: { accounts: others.length, mean: expect.closeTo(meanOf(others, of), 9) },
      heldBack: { accounts: held.length, mean: expect.closeTo(meanOf(held, of), 9) },
      difference: expect.closeTo(meanOf(others, of) - meanOf(held, of), 9),
    });
    expect(effect.low).toBeLessThan(effect.difference);
    expect(effect.high).toBeGreaterThan(effect.difference);
  }
  expect(await ok(effectOf(campaignId, 'spent_day'))).toMatchObject({
    ...{ verdict: 'HIGHER', since: '2026-12-10T00:00:00Z', until: new Date(now).toISOString().replace('.000', '') },
  });
  expect((await ok(effectOf(campaignId, 'spent_ever'))).since).toBeUndefined();

  // A statistic that cannot be added up, and one that is not there.
  for (const code of ['largest', 'unknown'])
    expect(await effectOf(campaignId, code)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(await effectOf(newId(), 'spent_day')).toMatchObject({ status: 404, body: { code: 'CAMPAIGN_NOT_FOUND' } });
  const other = restAs(service.baseUrl, await service.newTenant());
  expect(await other('GET', `/admin/campaigns/${campaignId}/effect?statisticCode=spent_day`)).toMatchObject({
    status: 404,
  });
});

test('only accounts of its audiences count, and a campaign without a control group holds nobody back', async () => {
  const { campaignId, audienceId } = await newGame(service, { audienceKind: 'MANUAL' });
  const { id } = await ok(call('POST', '/accounts', {}));
  await ok(call('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: [id] }));
  expect(await ok(effectOf(campaignId, 'spent_day'))).toMatchObject({
    ...{ offered: { accounts: 1, mean: 0 }, heldBack: { accounts: 0, mean: 0 }, verdict: 'TOO_FEW_ACCOUNTS' },
  });
});

test('what happened before the day of its begin, and after its end, is not added up', async () => {
  const before = now;
  const { campaignId } = await newGame(service, {
    activate: false,
    campaign: { controlGroupPercent: 50, endsAt: new Date(before + 2 * 86_400_000).toISOString() },
  });
  const { id: accountId } = await ok(call('POST', '/accounts', {}));
  const side = isHeldBack(campaignId, accountId, 50) ? 'heldBack' : 'offered';
  const sumOf = async () => {
    const effect = await ok(effectOf(campaignId, 'orders_day'));
    return Math.round(effect[side].mean * effect[side].accounts);
  };
  const order = () =>
    ok(call('POST', '/gamification/triggers', { programmaticCode: 'PURCHASE', accountId, metadata: { amount: 1 } }));
  await statistic('orders_day', 'COUNT', 'DAY');
  await order();
  now = before + 86_400_000;
  await ok(call('POST', `/admin/campaigns/${campaignId}/activate`));
  await order();
  await order();
  now = before + 3 * 86_400_000;
  await order();
  expect(await sumOf()).toBe(2);
});
