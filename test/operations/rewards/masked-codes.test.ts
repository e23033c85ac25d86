import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok, pageQuery, recorded } from '../../support/administration.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { settledUser } from '../clients/console.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { deliver, reward } from './provision.ts';

let service: TestService;
/** A person's access token, as the console has it after a sign-in. */
let person: string;
let accountId: string;
let redemption: { id: string; redeemables: { id: string; code: string }[] };
let productId: string;

/** One long code, and two so short that their end would be most of the code. */
const CODES = ['COFFEE-0001', 'AB12', 'CD34'];
const WHOLE = /COFFEE|AB12|CD34/;

beforeAll(async () => {
  service = await startService({ trustForwarded: true });
  person = (await settledUser(service)).answer.body.accessToken;
  accountId = (await post('/accounts', { externalId: 'ada' })).id;
  await post(`/admin/accounts/${accountId}/points/adjust`, { amount: 1_000, reason: 'For shopping.' });
  const product = { name: 'Coffee', stockMode: 'CODES', pointsCost: 2 };
  productId = (await post('/admin/products', product)).id;
  await post(`/admin/products/${productId}/codes`, { codes: CODES });
  redemption = await post(`/loyalty/products/${productId}/redeem`, { accountId, quantity: 3 });
}, 60_000);
afterAll(() => service?.close());

const post = (path: string, body?: object, token?: string) => ok(service.rest('POST', path, body, token));
const get = (path: string, token?: string) => ok(service.rest('GET', path, undefined, token));
const reveal = (id: string, token = person): Promise<RestAnswer> =>
  service.rest('POST', `/admin/product-codes/${id}/reveal`, {}, token);

/** The codes of the redemption as operators read them. */
const masked = () => ['••••0001', ...redemption.redeemables.slice(1).map(({ id }) => `••••#${id.slice(-4)}`)];
const codesIn = (unitList: readonly { code: string }[]) => unitList.map(({ code }) => code);

describe('a person who is signed in to the console reads codes masked', () => {
  test('alike in redemptions and in the list of codes, where short ones are distinguished without a character of them', async () => {
    const [mine] = await get(`/redemptions/${accountId}`, person);
    expect(codesIn(mine.redeemables)).toEqual(masked());
    expect(new Set(masked()).size).toBe(3);
    const { rows } = await get(`/admin/products/${productId}/codes/paginated?${pageQuery()}`, person);
    expect(rows.map((row: { maskedCode: string }) => row.maskedCode)).toEqual(masked());
  });

  test('in earned rewards, each with the id by which it can be revealed', async () => {
    const prize = await newPrize(['PRIZE-7777', 'EF56']);
    const mine = (await get(`/v1/gamification/missions/my-rewards/${prize.accountId}`, person)).at(0);
    const marks = prize.ids.map((id) => id.slice(-4));
    expect(mine.codes).toMatchObject([
      { code: '••••7777', id: prize.ids[0] },
      { code: `••••#${marks[1]}`, id: prize.ids[1] },
    ]);
    const theirs = (await get(`/v1/gamification/missions/my-rewards/${prize.accountId}`)).at(0);
    expect(codesIn(theirs.codes)).toEqual(['PRIZE-7777', 'EF56']);
    expect(theirs.codes[0]).not.toHaveProperty('id');
  });

  test('in the answer to a change, and again where it is repeated', async () => {
    const { id } = await post('/admin/products', { name: 'Tea', stockMode: 'CODES', pointsCost: 1 });
    await post(`/admin/products/${id}/codes`, { codes: ['TEA-00001'] });
    const bought = await post(`/loyalty/products/${id}/redeem`, { accountId });
    const cancel = { reason: 'A mistake.', operationId: 'once' };
    for (let time = 0; time < 2; time += 1) {
      const cancelled = await post(`/admin/redemptions/${bought.id}/cancel`, cancel, person);
      expect(codesIn(cancelled.redeemables)).toEqual(['••••0001']);
    }
    const own = await post(`/admin/redemptions/${bought.id}/cancel`, cancel);
    expect(codesIn(own.redeemables)).toEqual(['TEA-00001']);
    const [entry] = await recorded(service, bought.id);
    expect(entry?.after).toMatchObject({ redeemables: [{ code: '••••0001' }] });
  });

  test('in what a webhook was sent, which the receiver gets whole, and not at all in its answer that repeats it', async () => {
    const receiver = await startReceiver((_, response, { body }) => response.writeHead(200).end(body));
    try {
      const audience = await post('/admin/audiences', { name: 'All', kind: 'EVERYONE' });
      const { id } = await post('/admin/products', { name: 'Cake', stockMode: 'CODES' });
      await post(`/admin/products/${id}/codes`, { codes: ['CAKE-4321'] });
      const prize = await post('/admin/rewards', { name: 'Cake', type: 'PRODUCTS', amount: 1, productId: id });
      await post('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
      const mission = { type: 'MISSION', name: 'Visit', programmaticCode: 'VISIT', target: 1 };
      const campaign = { name: 'Cake', audienceIds: [audience.id], rewardIds: [prize.id], missions: [mission] };
      await post(`/admin/campaigns/${(await post('/admin/campaigns', campaign)).id}/activate`);
      await ok(service.rest('PUT', '/webhooks/rewards', { endpoint: `${receiver.url}/hooks` }));
      await post('/gamification/triggers', { programmaticCode: 'VISIT', accountId });
      const [sent] = await receiver.got(1);
      expect(JSON.stringify(sent)).toContain('CAKE-4321');
      const list = () => get(`/admin/webhooks/deliveries/paginated?${pageQuery()}`);
      await expect.poll(async () => (await list()).totalRows).toBe(1);
      const [row] = (await list()).rows;
      expect(row.responseExcerpt).toMatch(/"code":"••••"/);
      expect(row.responseExcerpt).not.toContain('CAKE-4321');
      const path = `/admin/webhooks/deliveries/${row.id}`;
      const shown = (await get(path, person)).body;
      expect(shown).toContain('••••4321');
      expect(shown).not.toContain('CAKE-');
      expect((await get(path)).body).toContain('CAKE-4321');
    } finally {
      await receiver.close();
    }
  });

  test('and an API key or an access token reads them whole', async () => {
    for (const token of [service.apiKey, service.adminToken]) {
      const bought = (await get(`/redemptions/${accountId}`, token)).find(
        ({ id }: { id: string }) => id === redemption.id,
      );
      expect(codesIn(bought.redeemables)).toEqual(CODES);
    }
  });
});

describe('revealing a code', () => {
  test('gives one whole, taken or not, and is recorded each time without it', async () => {
    const id = redemption.redeemables[1]!.id;
    expect(await reveal(id)).toMatchObject({ status: 200, body: { code: 'AB12' } });
    expect(await reveal(id.toUpperCase())).toMatchObject({ status: 200, body: { code: 'AB12' } });
    const entries = await recorded(service, id);
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      operation: 'ProductAdminService.RevealProductCode',
      after: { maskedCode: `••••#${id.slice(-4)}`, redemptionId: redemption.id, accountId },
    });
    expect(JSON.stringify(entries)).not.toMatch(WHOLE);

    const { id: product } = await post('/admin/products', { name: 'Free', stockMode: 'CODES' });
    await post(`/admin/products/${product}/codes`, { codes: ['UNUSED-1'] });
    const [row] = (await get(`/admin/products/${product}/codes/paginated?${pageQuery()}`)).rows;
    expect((await reveal(row.id, service.adminToken)).body).toEqual({ code: 'UNUSED-1' });
  });

  test("finds nothing of another client's, nothing unknown, and nothing that is no id, and records nothing then", async () => {
    const stranger = await service.newTenant();
    const id = redemption.redeemables[0]!.id;
    const before = await recorded(service, id);
    for (const answer of [await reveal(id, stranger.adminToken), await reveal(newId())])
      expect(answer).toMatchObject({ status: 404, body: { code: 'PRODUCT_CODE_NOT_FOUND' } });
    expect(await reveal('no-id')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await recorded(service, id)).toEqual(before);
  });

  test('is refused to whom the permission is missing', async () => {
    const id = redemption.redeemables[0]!.id;
    expect(await reveal(id, service.apiKey)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

/** A product with these codes, all of them earned by a new account; the ids are those of the codes. */
async function newPrize(codes: string[]) {
  const { db, clientId } = service;
  const account = await post('/accounts', { externalId: `winner-${newId()}` });
  const fields = { name: 'Prize', stockMode: 'CODES' } as const;
  const { id } = await post('/admin/products', fields);
  await post(`/admin/products/${id}/codes`, { codes });
  const { rows } = await get(`/admin/products/${id}/codes/paginated?${pageQuery()}`);
  const product = { ...fields, id, fragmentsRequired: undefined, pointsCost: undefined };
  const prize = reward('PRODUCTS', codes.length, { product });
  await deliver(db, clientId, [{ accountId: account.id, reward: prize, now: new Date() }]);
  return { accountId: account.id as string, ids: rows.map((row: { id: string }) => row.id) as string[] };
}
