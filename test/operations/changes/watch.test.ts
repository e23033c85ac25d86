import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangeService } from '../../../gen/laurel/v1/change_service_pb.ts';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { addPoints, endOfFeed, numberIn, switchOn } from './feed.ts';
import { amountOf, changesOf, openStream, type ServerEvent } from './stream.ts';

let service: TestService;

beforeAll(async () => {
  const limits = { ofAccount: 3, ofClient: 6 };
  service = await startService({ streams: { limits, times: { beatMs: 100, lastsMs: 600_000 } } });
  await switchOn(service);
});
afterAll(() => service.close());

const post = (path: string, body: object = {}) => ok(service.rest('POST', path, body));
const newAccount = async (): Promise<string> => (await post('/accounts')).id;
const issue = async (accountId: string, permissions = ['READ']): Promise<string> =>
  (await post('/v1/account-tokens', { accountId, permissions })).token;
const open = (token: string, id = 'me', more: Parameters<typeof openStream>[3] = {}) =>
  openStream(service, token, id, more);

/** The first event, when the stream is open for sure. */
async function opened(stream: Awaited<ReturnType<typeof open>>) {
  const events = stream.events[Symbol.asyncIterator]();
  const { value } = (await events.next()) as { value: ServerEvent };
  return { first: value, rest: { ...stream, events: { [Symbol.asyncIterator]: () => events } } };
}

const clientWith = (token: string): Client<typeof ChangeService> =>
  createClient(
    ChangeService,
    createGrpcTransport({
      baseUrl: service.baseUrl,
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', `Bearer ${token}`);
          return next(request);
        },
      ],
    }),
  );

describe('a stream', () => {
  test('with an account token has every change of its account as it comes, and none of another', async () => {
    const [own, other] = [await newAccount(), await newAccount()];
    const stream = await open(await issue(own));
    expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream']);
    const { first, rest } = await opened(stream);
    expect(first.data).toMatchObject({ opened: { accountId: own, progress: false } });
    const told = changesOf(rest, 3);
    for (const amount of [1, 2, 3]) {
      await addPoints(service, other, 100 + amount);
      await addPoints(service, own, amount);
    }
    const { changes, lastId } = await told;
    expect(changes.map(amountOf)).toEqual([1, 2, 3]);
    expect(changes.at(-1)).toMatchObject({ type: 'POINTS_CHANGED', cursor: lastId, pointsChanged: { accountId: own } });
  });

  test('continues behind the id of the last event, with everything that came meanwhile, once', async () => {
    const own = await newAccount();
    const token = await issue(own);
    const { rest } = await opened(await open(token));
    const first = changesOf(rest, 2);
    for (const amount of [1, 2, 3, 4]) await addPoints(service, own, amount);
    const { changes, lastId } = await first;
    expect(changes.map(amountOf)).toEqual([1, 2]);
    for (let at = 0; at < 60; at += 1) await addPoints(service, await newAccount(), 1);
    await addPoints(service, own, 5);
    const again = changesOf(await open(token, 'me', { after: lastId }), 4);
    await addPoints(service, own, 6);
    expect((await again).changes.map(amountOf)).toEqual([3, 4, 5, 6]);
    // The address may name an older one, which a reader sends again.
    const query = `?after=${lastId}`;
    const newer = await changesOf(await open(token, 'me', { after: changes[0].cursor, query }), 4);
    expect(newer.changes.map(amountOf)).toEqual([2, 3, 4, 5]);
  });

  test('of some kinds has these, and another id of the account leads to it', async () => {
    const { id, externalId } = await post('/accounts', { externalId: 'watched' });
    const query = '?idType=EXTERNAL&kinds=REDEMPTION_CHANGED';
    const { rest } = await opened(await open(service.apiKey, externalId, { query }));
    const product = await post('/admin/products', { name: 'Mug', stockMode: 'UNLIMITED', pointsCost: 1 });
    await addPoints(service, id, 5);
    await post(`/loyalty/products/${product.id}/redeem`, { accountId: id });
    expect((await changesOf(rest, 1)).changes).toMatchObject([
      { type: 'REDEMPTION_CHANGED', redemptionChanged: { accountId: id, productId: product.id } },
    ]);
  });

  test('over gRPC has the same, with a token as well', async () => {
    const own = await newAccount();
    const end = await endOfFeed(service);
    for (const amount of [7, 8]) await addPoints(service, own, amount);
    const amounts: (number | undefined)[] = [];
    const gone = new AbortController();
    const watching = clientWith(await issue(own)).watchAccount({ accountId: '', after: end }, { signal: gone.signal });
    for await (const { opened: first, change } of watching) {
      if (first !== undefined) expect(first.accountId).toBe(own);
      if (change?.data.case === 'pointsChanged') amounts.push(change.data.value.entry?.amount);
      if (amounts.length === 2) break;
    }
    gone.abort();
    expect(amounts).toEqual([7, 8]);
    const stranger = clientWith(await issue(await newAccount())).watchAccount({ accountId: own });
    await expect(stranger[Symbol.asyncIterator]().next()).rejects.toThrow(/for its own account/);
  });

  test('without changes shows that it lives, with an id that goes on with the feed', async () => {
    const own = await newAccount();
    const { first, rest } = await opened(await open(await issue(own)));
    const { cursor } = (await changedOther()) as { cursor: string };
    for await (const { id, data } of rest.events) {
      expect(data).toBeUndefined();
      if (numberIn(id) >= numberIn(cursor)) break;
    }
    rest.close();
    expect(numberIn(cursor)).toBeGreaterThan(numberIn(first.id));
  });
});

/** A change of another account, as the feed has it. */
async function changedOther(): Promise<object> {
  const end = await endOfFeed(service);
  await addPoints(service, await newAccount(), 1);
  await endOfFeed(service);
  return (await service.rest('GET', `/v1/changes?after=${end}`)).body.rows[0];
}

describe('a stream is refused', () => {
  const refusalOf = async (stream: Awaited<ReturnType<typeof open>>) => [stream.status, (await stream.problem()).code];

  test('for the account of another token, without READ, and without a credential', async () => {
    const [own, other] = [await newAccount(), await newAccount()];
    expect(await refusalOf(await open(await issue(own), other))).toEqual([403, 'TOKEN_OF_ANOTHER_ACCOUNT']);
    expect(await refusalOf(await open(await issue(own, ['CLAIM'])))).toEqual([403, 'FORBIDDEN']);
    expect(await refusalOf(await open('lrl_key_nothing', own))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('for an unknown account, an id that is none, one that is gone, and a client without a feed', async () => {
    const own = await newAccount();
    const token = await issue(own);
    expect(await refusalOf(await open(service.apiKey, service.clientId))).toEqual([404, 'ACCOUNT_NOT_FOUND']);
    expect(await refusalOf(await open(token, 'me', { after: 'here' }))).toEqual([400, 'BAD_REQUEST']);
    expect(await refusalOf(await open(token, 'me', { after: '0' }))).toEqual([410, 'CHANGES_GONE']);
    const lost = `${numberIn(await endOfFeed(service))}-0123456789ab`;
    expect(await refusalOf(await open(token, 'me', { after: lost }))).toEqual([410, 'CHANGES_DIVERGED']);
    const stranger = await service.newTenant();
    const theirs = await ok(service.rest('POST', '/accounts', {}, stranger.apiKey));
    expect(await refusalOf(await open(stranger.apiKey, theirs.id))).toEqual([409, 'CHANGE_FEED_OFF']);
  });

  test('beyond the limits of the account and of the client, until another one ends', async () => {
    const [own, other, third] = [await newAccount(), await newAccount(), await newAccount()];
    const held = [];
    for (const id of [own, own, own, other, other]) held.push((await opened(await open(service.apiKey, id))).rest);
    expect(await refusalOf(await open(service.apiKey, own))).toEqual([429, 'RATE_LIMITED']);
    held.push((await opened(await open(service.apiKey, third))).rest);
    expect(await refusalOf(await open(service.apiKey, third))).toEqual([429, 'RATE_LIMITED']);
    held.forEach((each) => each.close());
    await expect.poll(async () => (await opened(await open(service.apiKey, own))).rest.close()).toBeUndefined();
  });
});

describe('a stream ends', () => {
  test('when the tokens of its account are revoked, within five seconds', async () => {
    const own = await newAccount();
    const { rest } = await opened(await open(await issue(own)));
    const begun = performance.now();
    await post('/v1/account-tokens/revoke', { accountId: own });
    for await (const { data } of rest.events) expect(data).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test('when its API key is revoked', async () => {
    const created = await post('/admin/credentials', { name: 'For a stream', kind: 'API_KEY' });
    const { rest } = await opened(await open(created.token, await newAccount()));
    await post(`/admin/credentials/${created.credential.id}/revoke`);
    for await (const { data } of rest.events) expect(data).toBeUndefined();
  });

  test('when its account is merged; the next one is of the survivor, and a token learns no id of it', async () => {
    const [from, into] = [await newAccount(), await newAccount()];
    const [{ rest: withToken }, { rest: withKey }, { rest: survivor }] = [
      await opened(await open(await issue(from))),
      await opened(await open(service.apiKey, from)),
      await opened(await open(service.apiKey, into)),
    ];
    const all = [changesOf(withToken, Infinity), changesOf(withKey, Infinity), changesOf(survivor, 2)] as const;
    await post(`/accounts/${from}/merge`, { intoAccountId: into, progress: 'SUM' });
    const [app, backend] = [await all[0], await all[1]];
    expect(app.changes).toEqual([]);
    expect(backend.changes).toMatchObject([{ type: 'ACCOUNTS_MERGED', accountsMerged: { intoAccountId: into } }]);
    await addPoints(service, into, 4);
    expect((await all[2]).changes.map(({ type }) => type)).toEqual(['ACCOUNTS_MERGED', 'POINTS_CHANGED']);
    const next = await open(service.apiKey, from, { after: backend.lastId });
    expect((await changesOf(next, 1)).changes).toMatchObject([{ pointsChanged: { accountId: into } }]);
  });

  test('when the feed is switched off', async () => {
    const { rest } = await opened(await open(service.apiKey, await newAccount()));
    await ok(service.rest('PUT', '/v1/change-feed', { keepDays: 0 }, service.adminToken));
    await switchOn(service);
    for await (const { data } of rest.events) expect(data).toBeUndefined();
  });
});
