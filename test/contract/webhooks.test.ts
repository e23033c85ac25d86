import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { type Game, newGame, newProduct } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './contract-service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;
let receiver: Receiver;
let answer: Answer;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());
beforeEach(async () => {
  answer = (_request, response) => response.writeHead(204).end();
  receiver = await startReceiver((...call) => answer(...call));
});
afterEach(async () => {
  for (const type of ['rewards', 'publication-status']) await service.rest('DELETE', `/webhooks/${type}`);
  await receiver.close();
});

const put = (settings: object, type = 'rewards') => service.rest('PUT', `/webhooks/${type}`, settings);
const emit = (programmaticCode: string, accountId: string, path = '/gamification/triggers') =>
  service.rest('POST', path, { programmaticCode, accountId, idType: 'EXTERNAL' });

let codes = 0;

/** A campaign that one event of a code of its own closes. */
async function oneStep(options: Parameters<typeof newGame>[1] = {}): Promise<Game & { code: string }> {
  codes += 1;
  const code = `STEP_${codes}`;
  const missions = [{ programmaticCode: code }];
  return { code, ...(await newGame(service, { codes: { [code]: 'SINGLE' }, missions, ...options })) };
}

/** Nothing more can come once nothing waits and nothing is being sent. */
async function nothingWaits(): Promise<void> {
  const waiting = () =>
    service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('select 1 from outbox_message where client_id = $1', [uow.clientId]),
    );
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toEqual([]);
}

describe.each(['rewards', 'publication-status'])('/webhooks/%s', (type) => {
  const path = `/webhooks/${type}`;

  test('PUT stores and replaces, GET gives it with the secret masked', async () => {
    expect(await service.rest('GET', path)).toMatchObject({ status: 404, body: errorBody(404, 'WEBHOOK_NOT_FOUND') });
    const settings = {
      endpoint: 'https://example.com/hook?a=1',
      method: 'POST',
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'X-Token',
      authenticationValue: 'open sesame',
    };
    const stored = await put(settings, type);
    expect(stored).toMatchObject({ status: 200, body: { ...settings, authenticationValue: '••••same' } });
    expect(await service.rest('GET', path)).toMatchObject({ status: 200, body: stored.body });
    const replaced = await put({ endpoint: 'https://example.com/other' }, type);
    expect(replaced.body).toMatchObject({ endpoint: 'https://example.com/other', method: 'POST' });
    expect(replaced.body).not.toHaveProperty('authenticationValue');
  });

  test('DELETE answers 204 whether or not there is a configuration', async () => {
    await put({ endpoint: 'https://example.com/' }, type);
    for (let time = 1; time <= 2; time += 1) {
      expect(await service.rest('DELETE', path)).toMatchObject({ status: 204, body: undefined });
    }
    expect((await service.rest('GET', path)).status).toBe(404);
  });

  test('the test call posts a payload of the real shape with test: true', async () => {
    await put({ endpoint: receiver.url, method: 'POST' }, type);
    expect(await service.rest('POST', `${path}/test`)).toMatchObject({ status: 200, body: { success: true } });
    const [request] = await receiver.got(1);
    expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    const body = JSON.parse(request!.body);
    const items = type === 'rewards' ? body : [body];
    expect(items).toEqual([expect.objectContaining({ test: true })]);
  });

  test('the test call is no success on a 4xx or 5xx, or an unresolved name', async () => {
    for (const status of [400, 404, 500, 503]) {
      answer = (_request, response) => response.writeHead(status).end();
      await put({ endpoint: receiver.url }, type);
      expect((await service.rest('POST', `${path}/test`)).body, String(status)).toEqual({ success: false });
    }
    await put({ endpoint: 'http://no-such-host.invalid/' }, type);
    expect((await service.rest('POST', `${path}/test`)).body).toEqual({ success: false });
  });

  test('the test call is no success after 5 seconds of silence', async () => {
    answer = () => {};
    await put({ endpoint: receiver.url }, type);
    const begun = performance.now();
    expect((await service.rest('POST', `${path}/test`)).body).toEqual({ success: false });
    expect(performance.now() - begun).toBeGreaterThan(4_900);
    expect(performance.now() - begun).toBeLessThan(7_000);
  });

  test('every call needs the bearer token of the client admin', async () => {
    for (const [method, call] of [
      ['GET', path],
      ['PUT', path],
      ['POST', `${path}/test`],
      ['DELETE', path],
    ] as const) {
      const body = method === 'PUT' ? { endpoint: 'https://example.com/' } : undefined;
      const refused = await service.rest(method, call, body, service.apiKey);
      expect(refused, `${method} ${call}`).toMatchObject({ status: 403, body: errorBody(403, 'FORBIDDEN') });
    }
  });

  test.each<[string, object]>([
    ['no endpoint', {}],
    ['an endpoint without protocol', { endpoint: 'example.com/hook' }],
    ['another protocol', { endpoint: 'ftp://example.com/hook' }],
    ['an unknown method', { endpoint: 'https://example.com/', method: 'GET' }],
    ['a method in lower case', { endpoint: 'https://example.com/', method: 'post' }],
    [
      'HEADER without a name',
      { endpoint: 'https://e.com/', authenticationMethodType: 'HEADER', authenticationValue: 'x' },
    ],
    [
      'HEADER without a value',
      { endpoint: 'https://e.com/', authenticationMethodType: 'HEADER', authenticationMethodKey: 'X' },
    ],
    ['QUERY_PARAM without both', { endpoint: 'https://e.com/', authenticationMethodType: 'QUERY_PARAM' }],
  ])('PUT with %s is a 400', async (_what, settings) => {
    expect(await put(settings, type)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
    expect((await service.rest('GET', path)).status).toBe(404);
  });
});

describe('the method', () => {
  test('of the rewards webhook is POST by default, or PUT, PATCH or DELETE', async () => {
    const { code } = await oneStep();
    const methods = [undefined, 'POST', 'PUT', 'PATCH', 'DELETE'];
    for (const [index, method] of methods.entries()) {
      expect((await put({ endpoint: receiver.url, method })).body.method).toBe(method ?? 'POST');
      await emit(code, `method-${index}`);
      expect((await receiver.got(index + 1)).at(-1)).toMatchObject({ method: method ?? 'POST' });
    }
  });

  test('of the publication-status webhook is POST only', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const refused = await put({ endpoint: 'https://example.com/', method }, 'publication-status');
      expect(refused, method).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', /POST/) });
    }
  });
});

describe('the authentication', () => {
  test('none, omitted or null, sends nothing but the JSON body', async () => {
    const nothing = { authenticationMethodType: null, authenticationMethodKey: null, authenticationValue: null };
    for (const [index, none] of [{}, nothing].entries()) {
      expect((await put({ endpoint: `${receiver.url}/plain`, ...none })).status).toBe(200);
      await service.rest('POST', '/webhooks/rewards/test');
      const request = (await receiver.got(index + 1)).at(-1);
      expect(request).toMatchObject({ url: '/plain', headers: { 'content-type': 'application/json' } });
      expect(request?.headers).not.toHaveProperty('authorization');
    }
  });

  test('HEADER sends the header', async () => {
    await put({
      endpoint: receiver.url,
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'X-Api-Key',
      authenticationValue: 's3cret',
    });
    await service.rest('POST', '/webhooks/rewards/test');
    const [request] = await receiver.got(1);
    expect(request?.headers).toMatchObject({ 'x-api-key': 's3cret', 'content-type': 'application/json' });
  });

  test('QUERY_PARAM appends name=value to the query, and sends no extra header', async () => {
    const plain = { endpoint: `${receiver.url}/hook?shop=1` };
    await put(plain);
    await service.rest('POST', '/webhooks/rewards/test');
    await put({
      ...plain,
      authenticationMethodType: 'QUERY_PARAM',
      authenticationMethodKey: 'key',
      authenticationValue: 'a&b=c',
    });
    await service.rest('POST', '/webhooks/rewards/test');
    const [without, request] = await receiver.got(2);
    expect(request?.url).toBe('/hook?shop=1&key=a%26b%3Dc');
    expect(Object.keys(request?.headers ?? {})).toEqual(Object.keys(without?.headers ?? {}));
    expect(request?.headers['content-type']).toBe('application/json');
  });
});

describe('the rewards webhook', () => {
  test('is one request with one item for each reward, with the documented fields', async () => {
    const productId = await newProduct(service, ['HOOK-1', 'HOOK-2']);
    const game = await oneStep({
      rewards: [
        { name: 'Points', type: 'POINTS', amount: 2.5 },
        { name: 'Coupon', type: 'PRODUCTS', amount: 2, productId },
      ],
    });
    await service.rest('POST', '/accounts', { externalId: 'documented', email: 'doc@example.com' });
    await put({ endpoint: receiver.url });
    const { body } = await emit(game.code, 'documented');
    await nothingWaits();
    expect(receiver.received).toHaveLength(1);
    const [{ accountId }] = body.rewards;
    const { assignmentId } = body.progressedMissions[0];
    const common = (index: number) => ({
      accountId,
      rewardId: game.rewardIds[index],
      campaignId: game.campaignId,
      assignmentId,
      assignment: {
        id: assignmentId,
        progress: 1,
        target: 1,
        status: 'COMPLETED',
        missionId: game.missionIds[0],
        accountId,
        rewardId: game.rewardIds[index],
      },
    });
    const codeNames = ['HOOK-1', 'HOOK-2'];
    expect(JSON.parse(receiver.received[0]!.body)).toEqual([
      { ...common(0), type: 'POINTS', amount: 2.5 },
      {
        ...common(1),
        type: 'PRODUCTS',
        amount: 2,
        productId,
        codes: codeNames.map((code) => ({ code, item: { id: expect.stringMatching(UUID), name: 'Coupon' } })),
        productRedemptions: [
          {
            product: { id: productId, name: 'Coupon' },
            account: { id: accountId, email: 'doc@example.com' },
            redeemables: codeNames.map((code) => ({
              id: expect.stringMatching(UUID),
              code,
              itemId: expect.stringMatching(UUID),
            })),
          },
        ],
      },
    ]);
  });

  test('of fragments and chests has the fields of every item and no codes', async () => {
    const product = await service.rest('POST', '/admin/products', {
      name: 'Mug',
      stockMode: 'UNLIMITED',
      fragmentsRequired: 3,
    });
    const reward = await service.rest('POST', '/admin/rewards', { name: 'Inside', type: 'POINTS', amount: 1 });
    const chest = await service.rest('POST', '/admin/chests', {
      name: 'Box',
      entries: [{ rewardId: reward.body.id, weight: 1 }],
    });
    const game = await oneStep({
      rewards: [
        { name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId: product.body.id },
        { name: 'A box', type: 'CHEST', amount: 1, chestId: chest.body.id },
      ],
    });
    await put({ endpoint: receiver.url });
    await emit(game.code, 'collector');
    const [request] = await receiver.got(1);
    const items = JSON.parse(request!.body);
    expect(items).toMatchObject([
      { type: 'FRAGMENTS', amount: 2, rewardId: game.rewardIds[0] },
      { type: 'CHEST', amount: 1, rewardId: game.rewardIds[1] },
    ]);
    for (const item of items) expect(item).not.toHaveProperty('codes');
  });

  test('of a streak, or of several missions, names no assignment', async () => {
    const streak = await newGame(service, {
      codes: { DAILY: 'SINGLE' },
      missions: [{ type: 'STREAK', programmaticCode: 'DAILY', target: 1, period: 'DAY' }],
    });
    const several = await newGame(service, {
      codes: { LEFT: 'SINGLE', RIGHT: 'SINGLE' },
      missions: [{ programmaticCode: 'LEFT' }, { programmaticCode: 'RIGHT' }],
    });
    await put({ endpoint: receiver.url });
    await emit('DAILY', 'runner');
    await emit('LEFT', 'runner');
    await emit('RIGHT', 'runner');
    const requests = await receiver.got(2);
    const items = requests.map((request) => JSON.parse(request.body)[0]);
    expect(items.map((item) => item.campaignId).toSorted()).toEqual([streak.campaignId, several.campaignId].toSorted());
    for (const item of items) {
      expect(item).not.toHaveProperty('assignmentId');
      expect(item).not.toHaveProperty('assignment');
    }
  });

  test('is sent on all three paths that close a campaign, and for nothing else', async () => {
    const { body: bonus } = await service.rest('POST', '/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 1 });
    const game = await newGame(service, {
      codes: { FIRST: 'SINGLE', LAST: 'SINGLE' },
      missions: [{ programmaticCode: 'FIRST', rewardIds: [bonus.id] }, { programmaticCode: 'LAST' }],
    });
    const claimed = await oneStep({ campaign: { claimPolicy: 'EXPLICIT' } });
    await put({ endpoint: receiver.url });
    expect((await emit('FIRST', 'by-sync')).body.rewards).toMatchObject([{ rewardId: bonus.id }]);
    await nothingWaits();
    expect(receiver.received).toEqual([]);
    await emit('LAST', 'by-sync');
    expect((await receiver.got(1)).map(campaignOf)).toEqual([game.campaignId]);

    await emit(claimed.code, 'by-claim');
    const claim = { accountId: 'by-claim', idType: 'EXTERNAL' };
    await nothingWaits();
    expect(receiver.received).toHaveLength(1);
    await service.rest('POST', `/gamification/campaigns/${claimed.campaignId}/claim`, claim);
    expect((await receiver.got(2)).map(campaignOf)).toEqual([game.campaignId, claimed.campaignId]);

    await emit('FIRST', 'by-async', '/gamification/triggers/async');
    await emit('LAST', 'by-async', '/gamification/triggers/async');
    expect((await receiver.got(3)).map(campaignOf)).toEqual([game.campaignId, claimed.campaignId, game.campaignId]);
  });

  test('is not sent without a configuration, nor after DELETE until a new PUT', async () => {
    const { code } = await oneStep();
    await emit(code, 'before');
    await put({ endpoint: receiver.url });
    await service.rest('DELETE', '/webhooks/rewards');
    await emit(code, 'between');
    await nothingWaits();
    expect(receiver.received).toEqual([]);
    await put({ endpoint: receiver.url });
    await emit(code, 'after');
    await receiver.got(1);
    await nothingWaits();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('delivery', () => {
  test('that fails is not tried again; the reward is there all the same, and read from the earned rewards', async () => {
    answer = (_request, response) => response.writeHead(500).end('out of order');
    const { code, campaignId } = await oneStep();
    await put({ endpoint: receiver.url, method: 'PUT' });
    const { body } = await emit(code, 'unlucky');
    await nothingWaits();
    expect(receiver.received).toHaveLength(1);
    expect(service.log.some((line) => line.includes('500') && line.includes('ebhook'))).toBe(true);
    const earned = await service.rest('GET', '/v1/gamification/missions/my-rewards/unlucky?idType=EXTERNAL');
    expect(earned.body).toMatchObject([{ campaignId, status: 'DELIVERED', id: body.rewards[0].id }]);
  });

  test('starts after the call that caused it has answered, and gives up after 5 seconds', async () => {
    let closed: number | undefined;
    answer = (request) => request.socket.once('close', () => (closed = Date.now()));
    const { code } = await oneStep();
    await put({ endpoint: receiver.url });
    const begun = performance.now();
    expect((await emit(code, 'patient')).body.rewards).toMatchObject([{ status: 'DELIVERED' }]);
    expect(performance.now() - begun).toBeLessThan(4_000);
    const [request] = await receiver.got(1);
    await nothingWaits();
    await expect.poll(() => closed).toBeDefined();
    expect(closed! - request!.at).toBeGreaterThan(4_500);
    expect(closed! - request!.at).toBeLessThan(7_000);
    expect(receiver.received).toHaveLength(1);
  });
});

function campaignOf({ body }: { body: string }): string {
  return JSON.parse(body)[0].campaignId;
}
