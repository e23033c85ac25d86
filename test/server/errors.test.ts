import { Code, ConnectError, createClient, type ServiceImpl } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BadRequestSchema, ErrorInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { WebhookService } from '../../gen/laurel/v1/webhook_service_pb.ts';
import { badRequest, DomainError } from '../../src/kernel/errors/domain-error.ts';
import { sentence } from '../../src/kernel/sentence.ts';
import { type ErrorCodeName, errorKinds } from '../../src/kernel/errors/error-codes.ts';
import { grpcCodes, httpStatuses } from '../../src/kernel/errors/error-kinds.ts';
import { callByGrpcJs } from './grpc-js.ts';
import { startTestServer, type TestServer } from './support.ts';

const SECRET = 'relation "account" at 10.0.0.7';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ resolveAccount });
});
afterAll(() => server.close());

/** Characters that are too many to be three times in a trailer. */
const LONG = 2_000;

function sentenceAbout(name: string) {
  return sentence`${sentence`campaign '${name}'`} is open from ${new Date(0)} for ${[1.5, 20n]}.`;
}

/** Fails as its argument says. */
const resolveAccount: ServiceImpl<typeof AccountService>['resolveAccount'] = ({ externalId }) => {
  if (externalId === 'unforeseen') throw new Error(SECRET, { cause: new Error('the deeper cause') });
  if (externalId === 'string') throw SECRET;
  if (externalId === 'with values') throw badRequest(sentenceAbout('Ada'));
  if (externalId === 'with long values') throw badRequest(sentenceAbout('A'.repeat(LONG)));
  if (externalId in errorKinds) throw new DomainError(externalId as ErrorCodeName, 'What to send instead.');
  return { account: { externalId } };
};

/** One code of each kind. */
const codes = Object.values(Object.fromEntries(Object.entries(errorKinds).map(([code, kind]) => [kind, [code, kind]])));

describe.each(codes as [ErrorCodeName, keyof typeof httpStatuses][])('%s, a DomainError of kind %s', (code, kind) => {
  const http = httpStatuses[kind];
  const grpc = grpcCodes[kind];
  test('over REST: its status and the documented body', async () => {
    const response = await rest({ externalId: code });
    expect(response.status).toBe(http);
    expect(await response.json()).toEqual({
      statusCode: http,
      code,
      message: 'What to send instead.',
      traceId: traceIdOf(response),
    });
  });

  test.each([
    ['gRPC', () => createGrpcTransport({ baseUrl: server.url })],
    ['gRPC-Web', () => createGrpcWebTransport({ baseUrl: server.url, httpVersion: '1.1' })],
    ['Connect', () => createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' })],
  ])('over %s: its code, and ErrorInfo with the same words', async (_name, transport) => {
    const error = await failureOf(
      createClient(AccountService, transport()).resolveAccount({ externalId: code }, bearer()),
    );
    expect(error.code).toBe(grpc);
    expect(error.rawMessage).toBe('What to send instead.');
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: code, domain: 'laurel' }]);
  });
});

describe('a message with values', () => {
  const message = "campaign 'Ada' is open from 1970-01-01T00:00:00.000Z for 1.5, 20.";

  test('is the same text over REST, and the body has nothing beside it', async () => {
    const response = await rest({ externalId: 'with values' });
    const traceId = traceIdOf(response);
    expect(await response.text()).toBe(JSON.stringify({ statusCode: 400, message, code: 'BAD_REQUEST', traceId }));
  });

  test.each([
    ['gRPC', () => createGrpcTransport({ baseUrl: server.url })],
    ['gRPC-Web', () => createGrpcWebTransport({ baseUrl: server.url, httpVersion: '1.1' })],
    ['Connect', () => createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' })],
  ])('over %s has its form and the values in ErrorInfo, besides the text', async (_name, transport) => {
    const accounts = createClient(AccountService, transport());
    const error = await failureOf(accounts.resolveAccount({ externalId: 'with values' }, bearer()));
    expect(error.rawMessage).toBe(message);
    expect(error.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({
      message: '{0} is open from {1} for {2}.',
      '0.message': "campaign '{0}'",
      '0.0': 'Ada',
      '1': '1970-01-01T00:00:00.000Z',
      '2.message': '{0}, {1}',
      '2.0': '1.5',
      '2.1': '20',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('that is long has them over Connect, and over gRPC the text alone: a trailer has room for no more', async () => {
    const connect = createClient(AccountService, createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' }));
    const request = { externalId: 'with long values' };
    const [whole, bare] = await Promise.all([
      failureOf(connect.resolveAccount(request, bearer())),
      failureOf(client().resolveAccount(request, bearer())),
    ]);
    expect(whole.findDetails(ErrorInfoSchema)[0]?.metadata['0.0']).toHaveLength(LONG);
    expect(Object.keys(bare.findDetails(ErrorInfoSchema)[0]?.metadata ?? {})).toEqual(['traceId']);
    expect(bare.rawMessage).toBe(whole.rawMessage);
  });
});

describe('an error that nobody foresaw', () => {
  test.each(['unforeseen', 'string'])('is generic to the caller (%s)', async (externalId) => {
    const response = await rest({ externalId });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      statusCode: 500,
      code: 'INTERNAL_SERVER_ERROR',
      traceId: traceIdOf(response),
    });
    expect(text).not.toContain(SECRET);
    const connect = await call('ResolveAccount', JSON.stringify({ externalId }));
    expect(connect.status).toBe(500);
    expect(await connect.text()).not.toContain(SECRET);
  });

  test('is logged once, in full, under the trace id that the caller was given', async () => {
    const response = await rest({ externalId: 'unforeseen' });
    const lines = server.log.filter(
      ({ msg, traceId }) => msg === 'unforeseen error' && traceId === traceIdOf(response),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 50, err: { message: expect.stringContaining(SECRET) } });
    expect(JSON.stringify(lines[0])).toContain('errors.test.ts');
    expect(JSON.stringify(lines[0])).toContain('the deeper cause');
  });

  test('reaches a gRPC client without its words', async () => {
    const failure = callByGrpcJs(
      `127.0.0.1:${server.port}`,
      AccountService.method.resolveAccount,
      { externalId: 'unforeseen' },
      'integrator',
    );
    await expect(failure).rejects.toMatchObject({ code: Code.Internal, details: expect.not.stringContaining(SECRET) });
  });
});

describe('bad input', () => {
  test('every broken rule is listed, by the name the caller used', async () => {
    const error = await failureOf(client().listAccounts({ page: 0, limit: 5000 }, bearer()));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe(
      'page must be greater than or equal to 1; limit must be greater than or equal to 1 and less than or equal to 1000.',
    );
    expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations.map(({ field }) => field)).toEqual([
      'page',
      'limit',
    ]);
    expect(error.findDetails(ErrorInfoSchema)[0]?.metadata).toMatchObject({
      'rule.0': 'int32.gte',
      'rule.1': 'int32.gte_lte',
    });
  });

  test('a required field that is missing is said to be required', async () => {
    const error = await failureOf(client().listAccounts({}, bearer()));
    expect(error.rawMessage).toBe('page is required; limit is required.');
  });

  test('the validation comes after the authorisation: who may not call learns nothing of the rules', async () => {
    const response = await call('ListAccounts', '{}', {});
    expect(response.status).toBe(401);
  });

  test.each([
    ['an unknown field', '{"externalid":"a"}', 'externalid'],
    ['an unknown enum name', '{"id":"a","idType":"SIDEWAYS"}', 'SIDEWAYS'],
    ['a wrong type', '{"externalId":7}', 'external_id'],
    ['no JSON', '{"externalId":', 'JSON'],
    ['a list', '[]', ''],
  ])('%s over Connect is 400 and says what is wrong', async (_name, body, word) => {
    const response = await call(body.includes('idType') ? 'GetAccount' : 'ResolveAccount', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(word) });
  });

  test('an operation that does not exist yet says so', async () => {
    const response = await call('GetAccount', '{"id":"a"}');
    expect(response.status).toBe(501);
    expect(await response.text()).toContain('NOT_IMPLEMENTED');
  });

  test('an operation that does not exist at all is UNIMPLEMENTED to gRPC', async () => {
    const unknown = { ...AccountService.method.resolveAccount, name: 'Nothing' };
    const failure = callByGrpcJs(`127.0.0.1:${server.port}`, unknown, { externalId: 'a' }, 'integrator');
    await expect(failure).rejects.toMatchObject({ code: Code.Unimplemented });
  });

  test.each([
    ['GET', 'application/json', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%s with %s on an RPC is %i with the documented body', async (method, contentType, statusCode, code) => {
    const url = `${server.url}/laurel.v1.AccountService/ResolveAccount`;
    const body = method === 'GET' ? undefined : 'x';
    const response = await fetch(url, { method, body, headers: { ...bearer().headers, 'content-type': contentType } });
    expect(response.status).toBe(statusCode);
    expect(await response.json()).toMatchObject({ statusCode, code, traceId: traceIdOf(response) });
  });
});

describe('roles', () => {
  test.each([
    ['integrator', 403],
    ['clientAdmin', 501],
    ['serviceAdmin', 501],
  ])('an operation for the client admin answers %s with %i', async (token, status) => {
    const url = `${server.url}/${WebhookService.typeName}/${WebhookService.methods[0]?.name}`;
    const response = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { ...bearer(token).headers, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.text()).toContain('FORBIDDEN');
  });

  test('no credential is 401 with a challenge, over REST and gRPC', async () => {
    const response = await fetch(`${server.url}/accounts/resolve`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({
      statusCode: 401,
      code: 'UNAUTHENTICATED',
      traceId: traceIdOf(response),
    });
    const failure = callByGrpcJs(`127.0.0.1:${server.port}`, AccountService.method.resolveAccount, { externalId: 'a' });
    await expect(failure).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});

function rest(body: object): Promise<Response> {
  return fetch(`${server.url}/accounts/resolve`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...bearer().headers, 'content-type': 'application/json' },
  });
}

function call(method: string, body: string, headers: Record<string, string> = bearer().headers): Promise<Response> {
  const url = `${server.url}/laurel.v1.AccountService/${method}`;
  return fetch(url, { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } });
}

function client() {
  return createClient(AccountService, createGrpcTransport({ baseUrl: server.url }));
}

function bearer(token = 'integrator') {
  return { headers: { authorization: `Bearer ${token}` } };
}

function traceIdOf(response: Response): string | undefined {
  return response.headers.get('traceparent')?.split('-')[1];
}

async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => ConnectError.from(error),
  );
}
