import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok } from '../../support/administration.ts';
import { restAs, sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
let everyone: string;
let mug: { id: string };
let mugs: { id: string };
beforeAll(async () => {
  service = await sharedService();
  everyone = (await post('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' })).id;
  for (let index = 0; index < 3; index++) await post('/accounts', {});
  mug = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 4 });
  mugs = await post('/admin/rewards', { name: 'Two mugs', type: 'PRODUCTS', amount: 2, productId: mug.id });
});
afterAll(() => service.close());

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
const post = (path: string, body: unknown): Promise<any> => ok(service.rest('POST', path, body));
const reach = (body: object) => service.rest('POST', '/admin/campaigns/reach', body);

test('the reach of what is not saved yet: accounts, and for each counted product what they need and what is free', async () => {
  const rewards = [
    { rewardId: mugs.id, times: 1 },
    { rewardId: mugs.id, times: 5 },
  ];
  expect(await ok(reach({ audienceIds: [everyone], rewards }))).toEqual({
    members: 3,
    stocks: [{ productId: mug.id, productName: 'Mug', free: 4, needed: 36 }],
  });
});

test('without audiences nobody is reached, and what has no limit, is no unit or is unknown is left out', async () => {
  const endless = await post('/admin/products', { name: 'Wallpaper', stockMode: 'UNLIMITED', fragmentsRequired: 2 });
  const given = await Promise.all([
    post('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 5 }),
    post('/admin/rewards', { name: 'Wallpaper', type: 'PRODUCTS', amount: 1, productId: endless.id }),
  ]);
  const rewards = [...given, { id: newId() }].map(({ id }) => ({ rewardId: id, times: 1 }));
  expect(await ok(reach({ rewards }))).toEqual({ members: 0, stocks: [] });
  expect(await reach({ rewards: [{ rewardId: mugs.id, times: 0 }] })).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
});

test('another client’s audiences and rewards are as if there were none', async () => {
  const answer = await restAs(service.baseUrl, await service.newTenant())('POST', '/admin/campaigns/reach', {
    audienceIds: [everyone],
    rewards: [{ rewardId: mugs.id, times: 1 }],
  });
  expect(answer).toMatchObject({ status: 200, body: { members: 0, stocks: [] } });
});
