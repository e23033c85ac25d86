import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClaimCampaignResponseSchema } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import { OpenChestResponseSchema } from '../../../gen/laurel/v1/chest_service_pb.ts';
import { type EarnedReward, EarnedReward_Status } from '../../../gen/laurel/v1/reward_pb.ts';
import { EmitTriggerResponseSchema } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { type Game, type GameOptions, newGame } from '../../support/game.ts';
import { type RestAnswer, startService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => (service = await startService()));
afterAll(() => service.close());
beforeEach(async () => (tenant = await service.newTenant()));

const admin = async (path: string, body: object): Promise<RestAnswer['body']> => {
  const answer = await service.rest('POST', `/admin${path}`, body, tenant.adminToken);
  expect(answer, path).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answer.body;
};

/** A POST as the integrator sends it; returns the exact text of the body. */
async function post(path: string, body: object): Promise<{ status: number; replayed: boolean; text: string }> {
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const replayed = response.headers.get('idempotency-replayed') === 'true';
  return { status: response.status, replayed, text: await response.text() };
}

const ada = { accountId: 'ada', idType: 'EXTERNAL' };
const event = { ...ada, programmaticCode: 'LOGIN', metadata: {}, operationId: 'order-1' };

/** A sold-out mug, and rewards around it: points, the mug, points again. */
async function rewardsAround(): Promise<{ productId: string; rewards: GameOptions['rewards'] }> {
  const { id: productId } = await admin('/products', { name: 'Mug', stockMode: 'COUNTED' });
  const rewards = [
    { name: 'One', type: 'POINTS', amount: 1 },
    { name: 'Mug', type: 'PRODUCTS', amount: 1, productId },
    { name: 'Two', type: 'POINTS', amount: 2 },
  ];
  return { productId, rewards };
}

const gameWith = async (options: GameOptions = {}): Promise<Game & { productId: string }> => {
  const { productId, rewards } = await rewardsAround();
  return { productId, ...(await newGame(service, { adminToken: tenant.adminToken, rewards, ...options })) };
};

/** A closed chest with the three rewards in it. Returns the path that opens it. */
async function chest(): Promise<string> {
  const { rewards } = await rewardsAround();
  const entries: { rewardId: string; guaranteed: true }[] = [];
  for (const reward of rewards!) entries.push({ rewardId: (await admin('/rewards', reward)).id, guaranteed: true });
  const { id: chestId } = await admin('/chests', { name: 'Box', entries });
  await newGame(service, {
    adminToken: tenant.adminToken,
    rewards: [{ name: 'A box', type: 'CHEST', amount: 1, chestId }],
  });
  await post('/gamification/triggers', { ...event, operationId: undefined });
  const { body } = await service.rest(
    'GET',
    '/gamification/chests/account/ada?idType=EXTERNAL',
    undefined,
    tenant.apiKey,
  );
  return `/gamification/chests/${body[0].id}/open`;
}

async function claimable(): Promise<string> {
  const { campaignId } = await gameWith({ campaign: { claimPolicy: 'EXPLICIT' } });
  await post('/gamification/triggers', { ...event, operationId: undefined });
  return `/gamification/campaigns/${campaignId}/claim`;
}

/** The four calls that answer with earned rewards, each ready to be sent. */
const CALLS = {
  event: async () => {
    await gameWith();
    return { path: '/gamification/triggers', body: event, part: (answer: RestAnswer['body']) => answer };
  },
  batch: async () => {
    await gameWith();
    const part = (answer: RestAnswer['body']) => answer.results[0].result;
    return { path: '/gamification/triggers/batch', body: { triggers: [event] }, part };
  },
  claim: async () => {
    const part = (answer: RestAnswer['body']) => answer;
    return { path: await claimable(), body: { ...ada, operationId: 'claim-1' }, part };
  },
  chest: async () => {
    const part = (answer: RestAnswer['body']) => answer;
    return { path: await chest(), body: { ...ada, operationId: 'open-1' }, part };
  },
} as const;

describe.each(Object.keys(CALLS) as (keyof typeof CALLS)[])('the answer to a %s', (name) => {
  test('holds in rewards only what was delivered; what waits for stock is in pendingRewards', async () => {
    const { path, body, part } = await CALLS[name]();
    const answer = await post(path, body);
    expect(answer).toMatchObject({ status: 200, replayed: false });
    const { rewards, pendingRewards } = part(JSON.parse(answer.text));
    expect(rewards).toMatchObject([
      { rewardType: 'POINTS', amount: 1, status: 'DELIVERED' },
      { rewardType: 'POINTS', amount: 2, status: 'DELIVERED' },
    ]);
    expect(pendingRewards).toMatchObject([{ rewardType: 'PRODUCTS', amount: 1, status: 'PENDING_STOCK', codes: [] }]);
    expect(Object.keys(pendingRewards[0]).toSorted()).toEqual(
      Object.keys(rewards[0])
        .filter((key) => key !== 'deliveredAt')
        .concat('productId')
        .toSorted(),
    );
    const again = await post(path, body);
    expect(again.text).toBe(answer.text);
    const earned = await myRewards();
    for (const reward of [...rewards, ...pendingRewards]) expect(earned).toContainEqual(reward);
  });
});

test('an answer with nothing that waits has the two lists of the contract, and a repeat is the same', async () => {
  await newGame(service, { adminToken: tenant.adminToken });
  const answer = await post('/gamification/triggers', event);
  expect(Object.keys(JSON.parse(answer.text))).toEqual(['progressedMissions', 'rewards']);
  expect(await post('/gamification/triggers', event)).toEqual({ ...answer, replayed: true });
});

test('a repeat after the restock is still the stored answer; my-rewards shows the delivery', async () => {
  const { productId } = await gameWith();
  const answer = await post('/gamification/triggers', event);
  await admin(`/products/${productId}/stock`, { quantity: 1 });
  expect(await post('/gamification/triggers', event)).toEqual({ ...answer, replayed: true });
  expect((await myRewards()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
});

describe('an answer that the release before stored, what waits being among its rewards, is repeated byte for byte', () => {
  test('to an event, alone and in a batch', async () => {
    await gameWith();
    const { progressedMissions, rewards, pendingRewards } = JSON.parse(
      (await post('/gamification/triggers', event)).text,
    );
    await storeAsBefore(EmitTriggerResponseSchema, ({ progressedMissions: moved, ...earned }) => ({
      progressedMissions: moved,
      rewards: inOneList(earned),
    }));
    const [one, two] = rewards;
    const before = JSON.stringify({ progressedMissions, rewards: [one, ...pendingRewards, two] });
    const repeated = { status: 200, replayed: true, text: before };
    expect(await post('/gamification/triggers', event)).toEqual(repeated);
    expect((await post('/gamification/triggers/batch', { triggers: [event] })).text).toBe(
      `{"results":[{"result":${before}}]}`,
    );
  });

  test('to a claim', async () => {
    const { path, body } = await CALLS.claim();
    const { rewards, pendingRewards } = JSON.parse((await post(path, body)).text);
    await storeAsBefore(ClaimCampaignResponseSchema, (earned) => ({ rewards: inOneList(earned) }));
    const text = JSON.stringify({ rewards: [rewards[0], ...pendingRewards, rewards[1]] });
    expect(await post(path, body)).toEqual({ status: 200, replayed: true, text });
  });

  test('to the opening of a chest', async () => {
    const { path, body } = await CALLS.chest();
    const { chest: opened, rewards, pendingRewards } = JSON.parse((await post(path, body)).text);
    await storeAsBefore(OpenChestResponseSchema, (response) => ({
      opened: { chest: response.opened!.chest, rewards: inOneList(response.opened!) },
    }));
    const text = JSON.stringify({ chest: opened, rewards: [rewards[0], ...pendingRewards, rewards[1]] });
    expect(await post(path, body)).toEqual({ status: 200, replayed: true, text });
  });
});

const myRewards = async (): Promise<{ status: string }[]> =>
  (await service.rest('GET', '/v1/gamification/missions/my-rewards/ada?idType=EXTERNAL', undefined, tenant.apiKey))
    .body;

type Earned = { readonly rewards: EarnedReward[]; readonly pendingRewards: EarnedReward[] };

/** The order in which the previous release stored them: that of the campaign or chest. */
function inOneList({ rewards: [one, ...rest], pendingRewards }: Earned): EarnedReward[] {
  expect(pendingRewards).toMatchObject([{ status: EarnedReward_Status.PENDING_STOCK }]);
  return [one!, ...pendingRewards, ...rest];
}

/** Converts the only stored answer of the tenant into the form of the previous release. */
async function storeAsBefore<S extends DescMessage>(
  schema: S,
  before: (stored: ReturnType<typeof create<S>>) => MessageInitShape<S>,
): Promise<void> {
  await service.db.unitOfWork(tenant.clientId, async (uow) => {
    const [row, ...others] = await uow.query<{ response: Buffer }>(
      'select response from operation where client_id = $1',
      [uow.clientId],
    );
    expect(others).toEqual([]);
    const bytes = toBinary(schema, create(schema, before(fromBinary(schema, row!.response))));
    await uow.query('update operation set response = $2 where client_id = $1', [uow.clientId, Buffer.from(bytes)]);
  });
}
