import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

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
const login = (accountId: string) =>
  service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL' });

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
    await newGame(service);
    const methods = [undefined, 'POST', 'PUT', 'PATCH', 'DELETE'];
    for (const [index, method] of methods.entries()) {
      expect((await put({ endpoint: receiver.url, method })).body.method).toBe(method ?? 'POST');
      await login(`method-${index}`);
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
