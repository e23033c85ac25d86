// The TypeScript package against the service: events, ids, errors, hooks, and transports of other makers.
import { create } from '@bufbuild/protobuf';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { createRouterTransport } from '@connectrpc/connect';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorKinds } from '../../../src/kernel/errors/error-codes.ts';
import {
  AccountAlreadyExistsError,
  AccountNotFoundError,
  BadRequestError,
  EventDefinitionNotFoundError,
  Laurel,
  LaurelError,
  type LaurelOptions,
  OperationIdReusedError,
  UnauthenticatedError,
} from '../../../packages/typescript/src/index.ts';
import * as errors from '../../../packages/typescript/src/gen/errors.ts';
import * as v1 from '../../../packages/typescript/src/gen/v1.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

const { Account_IdType, AccountService, Assignment_Status, FeedService, TriggerService } = v1;

let service: TestService;
let laurel: Laurel;

const laurelOf = (options: LaurelOptions = {}) => new Laurel({ url: service.baseUrl, key: service.apiKey, ...options });

beforeAll(async () => {
  service = await sharedService();
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
  laurel = laurelOf();
});
afterAll(() => service.close());

describe('events', () => {
  test('an event with plain values progresses, and its repeat has no second effect', async () => {
    const send = () => laurel.emit('PURCHASE', 'ada', { amount: 12.5 }, { operationId: 'order-1' });
    const first = await send();
    expect(first.progressedMissions).toMatchObject([{ name: 'Spend', progress: 12.5, target: 100 }]);
    expect(await send()).toEqual(first);
  });

  test('attributes and the time of an event arrive', async () => {
    await service.rest('POST', '/admin/event-definitions', {
      programmaticCode: 'VISIT',
      type: 'SINGLE',
      attributes: [{ name: 'shop', type: 'STRING' }],
    });
    const content = { attributes: { shop: 'north', nothing: undefined }, occurredAt: new Date(Date.now() - 60_000) };
    await laurel.emit('VISIT', 'ada', content, { operationId: 'visit-1' });
    await expect(laurel.emit('VISIT', 'ada', { attributes: { shop: 5 } })).rejects.toBeInstanceOf(BadRequestError);
    const reused = laurel.emit(
      'VISIT',
      'ada',
      { ...content, attributes: { shop: 'south' } },
      { operationId: 'visit-1' },
    );
    await expect(reused).rejects.toBeInstanceOf(OperationIdReusedError);
  });

  test('an accepted event is applied later, and a reversal takes a part back', async () => {
    await laurel.emitAsync('PURCHASE', 'later', { amount: 7 }, { operationId: 'later-1' });
    await expect.poll(async () => (await laurel.feed('later'))[0]?.progress).toBe(7);
    const reversed = await laurel.reverse('PURCHASE', 'later-1', { amount: 2, reason: 'returned' });
    expect(reversed).toMatchObject({ amount: 2, amountLeft: 5 });
    const rest = await laurel.reverse('PURCHASE', 'later-1', {}, { operationId: 'later-back' });
    expect(rest).toMatchObject({ amount: 5, amountLeft: 0 });
  });

  test('each item of a batch has its result, or an error of the class of its code', async () => {
    const outcomes = await laurel.emitBatch([
      { code: 'PURCHASE', account: 'batch', amount: 1 },
      { code: 'NO_SUCH_CODE', account: 'batch', operationId: 'batch-2' },
      { code: 'PURCHASE', account: crypto.randomUUID(), idType: 'INTERNAL', amount: 1 },
      { code: 'PURCHASE', account: 'batch', amount: 2 },
    ]);
    expect(outcomes.map(({ result }) => result?.progressedMissions[0]?.progress)).toEqual([1, undefined, undefined, 3]);
    expect(outcomes[1]?.error).toBeInstanceOf(EventDefinitionNotFoundError);
    expect(outcomes[1]?.error).toMatchObject({ status: 404, retryable: false, operationId: 'batch-2' });
    expect(outcomes[2]?.error).toBeInstanceOf(AccountNotFoundError);
  });

  test('emitQuietly never throws, whatever fails', async () => {
    expect(await laurel.emitQuietly('PURCHASE', 'quiet', { amount: 1 })).toMatchObject({ ok: true });
    const nowhere = laurelOf({ url: 'http://127.0.0.1:1', retriesMax: 0 });
    const brokenKey = laurelOf({
      key: () => {
        throw new Error('no key today');
      },
    });
    const outcomes = await Promise.all([
      laurel.emitQuietly('NO_SUCH_CODE', 'quiet'),
      nowhere.emitQuietly('PURCHASE', 'quiet', { amount: 1 }),
      brokenKey.emitQuietly('PURCHASE', 'quiet', { amount: 1 }),
      laurel.emitQuietly('PURCHASE', 'quiet', { attributes: { loop: 10n as never } }),
      laurel.emitQuietly('PURCHASE', undefined as never),
    ]);
    expect(outcomes.map(({ ok, reason }) => (ok ? 'applied' : reason))).toEqual([
      'EVENT_DEFINITION_NOT_FOUND',
      'UNAVAILABLE',
      'UNKNOWN',
      'BAD_REQUEST',
      'BAD_REQUEST',
    ]);
  });
});

describe('errors', () => {
  test('an error has the parts that the service answers', async () => {
    const error = await laurel
      .client(AccountService)
      .listAccounts({ page: 0, limit: 5 })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toBeInstanceOf(LaurelError);
    expect(error).toMatchObject({
      name: 'BadRequestError',
      code: 'BAD_REQUEST',
      kind: 'INVALID',
      status: 400,
      retryable: false,
      attempts: 1,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      details: [{ field: 'page', rule: 'int32.gte', message: expect.any(String) }],
    });
  });

  test('two classes of one status are told apart', async () => {
    const accounts = laurel.client(AccountService);
    await accounts.createAccount({ externalId: 'once' });
    const error = await accounts.createAccount({ externalId: 'once' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AccountAlreadyExistsError);
    expect(error).not.toBeInstanceOf(AccountNotFoundError);
    expect(error).toMatchObject({ status: 409, kind: 'ALREADY_EXISTS' });
    await expect(laurelOf({ key: 'lrl_key_none' }).points('ada')).rejects.toBeInstanceOf(UnauthenticatedError);
  });

  test('every code that a call can be answered with has a class', () => {
    const classes = Object.keys(errors);
    const codes = Object.keys(errorKinds).filter((code) => classes.includes(classOf(code)));
    expect(codes).toHaveLength(classes.length);
    for (const code of ['ACCOUNT_NOT_FOUND', 'RATE_LIMITED', 'VERSION_CONFLICT']) expect(codes).toContain(code);
  });

  test('an address that redirects is no Laurel, and is not asked again', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.writeHead(302, { location: service.baseUrl }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const moved = laurelOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await expect(moved.points('ada')).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED', retryable: false });
    expect(asked).toBe(1);
    server.close();
  });

  test('a client without an address or a key is refused when it is made', () => {
    expect(() => new Laurel({ key: 'x' })).toThrow(/LAUREL_URL/);
    expect(() => new Laurel({ url: 'http://127.0.0.1' })).toThrow(/LAUREL_KEY/);
  });
});

function classOf(code: string): string {
  const name = code.toLowerCase().replaceAll(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  return `${name}Error`.replace('ErrorError', 'Error');
}

describe('ids of accounts', () => {
  test('are external unless client or call say otherwise', async () => {
    const { account } = await laurel.client(AccountService).resolveAccount({ externalId: 'ids' });
    const { id } = account!;
    expect((await laurel.points('ids'))?.accountId).toBe(id);
    expect((await laurel.points(id, { idType: 'INTERNAL' }))?.accountId).toBe(id);
    expect((await laurelOf({ idType: 'INTERNAL' }).points(id))?.accountId).toBe(id);
    const { getAccount } = laurel.client(AccountService);
    await expect(getAccount({ id })).rejects.toBeInstanceOf(AccountNotFoundError);
    expect((await getAccount({ id, idType: Account_IdType.INTERNAL })).account?.externalId).toBe('ids');
  });

  test('a list without an account sends no kind of id', async () => {
    const rows = laurel.list(v1.MarketplaceService.method.listPublishedPublications, {});
    expect((await rows.next()).done).toBe(true);
  });
});

describe('hooks', () => {
  test('see each call once, whole, and may send headers', async () => {
    const seen: unknown[] = [];
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const watched = laurelOf({
      hooks: {
        before: (call) => {
          call.headers.set('traceparent', traceparent);
          seen.push(['before', call.name, call.operationId]);
        },
        after: (call) => seen.push(['after', call.attempts]),
        error: (call, error) => seen.push(['error', error.code, error.traceId]),
      },
    });
    await watched.emit('LOGIN', 'hooked', {}, { operationId: 'hooked-1' });
    await watched.emitQuietly('NO_SUCH_CODE', 'hooked', {}, { operationId: 'hooked-2' });
    expect(seen).toEqual([
      ['before', 'laurel.v1.TriggerService/EmitTrigger', 'hooked-1'],
      ['after', 1],
      ['before', 'laurel.v1.TriggerService/EmitTrigger', 'hooked-2'],
      ['error', 'EVENT_DEFINITION_NOT_FOUND', '0af7651916cd43dd8448eb211c80319c'],
    ]);
  });

  test('an error of a hook fails no call', async () => {
    const fail = () => {
      throw new Error('a hook');
    };
    const careless = laurelOf({ hooks: { before: fail, after: fail, error: fail } });
    await careless.emit('LOGIN', 'careless');
    await expect(careless.emit('NO_SUCH_CODE', 'careless')).rejects.toBeInstanceOf(EventDefinitionNotFoundError);
  });
});

describe('other transports', () => {
  test.each([
    ['gRPC', () => createGrpcTransport({ baseUrl: service.baseUrl })],
    [
      'Connect in binary',
      () => createConnectTransport({ baseUrl: service.baseUrl, httpVersion: '2', useBinaryFormat: true }),
    ],
  ])('%s: the same calls and errors', async (name, transport) => {
    const other = laurelOf({ transport: transport() });
    const sent = await other.emit('PURCHASE', `by ${name}`, { amount: 3 });
    expect(sent.progressedMissions[0]?.progress).toBe(3);
    await expect(other.emit('NO_SUCH_CODE', 'ada')).rejects.toMatchObject({
      name: 'EventDefinitionNotFoundError',
      status: 404,
    });
  });

  test('an enum value that is newer than the package is read as unspecified', async () => {
    const router = createRouterTransport(({ rpc }) => {
      rpc(FeedService.method.getFeed, () => ({
        items: [{ status: 99 as never }, { status: Assignment_Status.ACTIVE }],
      }));
    });
    const items = await laurelOf({ transport: router }).feed('ada');
    expect(items.map(({ status }) => status)).toEqual([0, Assignment_Status.ACTIVE]);
  });

  test('an enum value, a field and a code that are newer than the package do not disturb its JSON', async () => {
    const answers = [
      Response.json({ items: [{ status: 'HIBERNATING', mood: 'calm' }, { status: 'ACTIVE' }] }),
      Response.json(
        { code: 'not_found', message: 'gone', details: [await errorInfo('PLANET_NOT_FOUND')] },
        { status: 404 },
      ),
    ];
    const newer = laurelOf({ fetch: async () => answers.shift()! });
    expect((await newer.feed('ada')).map(({ status }) => status)).toEqual([0, Assignment_Status.ACTIVE]);
    const error = await newer.points('ada').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PLANET_NOT_FOUND', kind: 'NOT_FOUND', status: 404 });
    expect(error).toBeInstanceOf(LaurelError);
  });

  test('the id type and the operation id reach any transport', async () => {
    const seen: unknown[] = [];
    const router = createRouterTransport(({ rpc }) => {
      rpc(TriggerService.method.emitTrigger, ({ trigger }) => {
        seen.push(trigger);
        return {};
      });
    });
    await laurelOf({ transport: router }).emit('LOGIN', 'ada');
    expect(seen).toMatchObject([
      { idType: Account_IdType.EXTERNAL, operationId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
  });
});

/** An `ErrorInfo` as the Connect protocol sends it. */
async function errorInfo(reason: string): Promise<unknown> {
  const { ErrorInfoSchema } = await import('../../../gen/google/rpc/error_details_pb.ts');
  const { toBinary } = await import('@bufbuild/protobuf');
  const bytes = toBinary(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain: 'laurel' }));
  return { type: 'google.rpc.ErrorInfo', value: Buffer.from(bytes).toString('base64').replaceAll('=', '') };
}
