import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { fromJson, type JsonValue, type Message } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createValidator } from '@bufbuild/protovalidate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import type { RestResponse } from '../../src/server/http/rest-message.ts';
import { badRequest, DomainError } from '../../src/kernel/errors/domain-error.ts';
import { InvalidFilter } from '../../src/persistence/lists/filter.ts';
import { restErrorOf } from '../../src/server/rpc/error-table.ts';
import { InvalidRequest } from '../../src/server/rpc/invalid-request.ts';
import { routesOfService } from './test-protos.ts';

const routes = routesOfService('LibraryService');
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A gateway in front of one answer, given as JSON of the response message, or one error. */
function gatewayOver(answer: JsonValue | Error, header?: Headers): Gateway<string> {
  const invoke: GatewayOptions<string>['invoke'] = (method): Promise<Answer> => {
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve({ message: fromJson(method.output, answer), header });
  };
  return createGateway({ routes, invoke, errorOf: restErrorOf });
}

/** Sends one request through the whole gateway, as the server does. */
function send(gateway: Gateway<string>, line: string, body?: string, contentType?: string): Promise<RestResponse> {
  const [method = '', url = ''] = line.split(' ');
  const match = gateway.match(method, url);
  if (match.kind !== 'found') return Promise.resolve(gateway.refuse(match, traceId));
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return gateway.handle(match, { body: bytes, contentType, traceId, context: 'the context' });
}

function errorBody(statusCode: number, code: string, message: unknown): unknown {
  return { statusCode, code, message, traceId };
}

describe('a request reaches its operation', () => {
  it('with the message, and the context untouched', async () => {
    const calls: [string, Message, string][] = [];
    const gateway = createGateway<string>({
      routes,
      errorOf: restErrorOf,
      invoke(method, message, context) {
        calls.push([method.name, message, context]);
        return Promise.resolve({ message: fromJson(method.output, {}) });
      },
    });
    await send(gateway, 'DELETE /books/7?force=true');
    expect(calls).toEqual([['DeleteBook', expect.objectContaining({ id: '7', force: true }), 'the context']]);
  });

  it('and its answer is written with the headers that it set', async () => {
    const gateway = gatewayOver({ book: { title: 'Räuber' } }, new Headers({ 'Idempotency-Replayed': 'true' }));
    const response = await send(gateway, 'POST /shelves/1/books', '{"title":"a"}', 'application/json');
    expect(response.status).toBe(201);
    expect(response.headers).toEqual({
      'idempotency-replayed': 'true',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(response.body ?? '')),
    });
    expect(JSON.parse(response.body ?? '')).toMatchObject({ title: 'Räuber' });
  });

  it('an empty answer has neither body nor type', async () => {
    expect(await send(gatewayOver({}), 'DELETE /books/7')).toEqual({ status: 204, headers: {}, body: undefined });
    expect(await send(gatewayOver({}), 'POST /books/7/read')).toEqual({ status: 200, headers: {}, body: undefined });
  });
});

describe('the server learns what it needs before it reads the body', () => {
  const gateway = gatewayOver({});
  it('which operation is called, and the path for its logs', () => {
    expect(gateway.match('PUT', '/books/7/tags?x=1')).toMatchObject({
      kind: 'found',
      method: expect.objectContaining({ name: 'TagBook' }),
      template: '/books/{id}/tags',
      takesBody: true,
    });
  });

  it('whether a body is to be read: also where one would only be refused, so that none is dropped', () => {
    expect(gateway.match('GET', '/books/7')).toMatchObject({ takesBody: false });
    expect(gateway.match('HEAD', '/books/7')).toMatchObject({ takesBody: false });
    expect(gateway.match('DELETE', '/books/7')).toMatchObject({ takesBody: true });
  });
});

describe('every refusal has the documented body', () => {
  it.each([
    ['GET /none', 404, 'NOT_FOUND', {}],
    ['GET /', 404, 'NOT_FOUND', {}],
    ['POST /books/7', 405, 'METHOD_NOT_ALLOWED', { allow: 'DELETE, GET, HEAD, PATCH' }],
    ['GET /books/%zz', 400, 'BAD_REQUEST', {}],
    ['GET /books/7?x=1', 400, 'BAD_REQUEST', {}],
    ['GET /books?filters=x', 400, 'INTERNAL_SERVER_ERROR', {}],
  ])('%s: %i %s', async (line, status, code, headers) => {
    const response = await send(gatewayOver({}), line);
    expect(response).toMatchObject({ status, headers: { 'content-type': 'application/json', ...headers } });
    expect(JSON.parse(response.body ?? '')).toEqual(errorBody(status, code, expect.any(String)));
  });

  it.each([
    [
      new DomainError('PRODUCT_NOT_FOUND', 'There is no such book.'),
      404,
      'PRODUCT_NOT_FOUND',
      'There is no such book.',
    ],
    [new DomainError('OPERATION_IN_PROGRESS', 'Wait.'), 409, 'OPERATION_IN_PROGRESS', 'Wait.'],
    [
      new ConnectError('x', Code.NotFound, undefined, undefined, new DomainError('PRODUCT_NOT_FOUND', 'None.')),
      404,
      'PRODUCT_NOT_FOUND',
      'None.',
    ],
    [new Error('password=1234'), 500, 'INTERNAL_SERVER_ERROR', expect.not.stringContaining('1234')],
  ])('an operation that fails with %s', async (error, status, code, message) => {
    const response = await send(gatewayOver(error), 'GET /books/7');
    expect([response.status, JSON.parse(response.body ?? '')]).toEqual([status, errorBody(status, code, message)]);
  });

  it('the trace id goes to anyone who turns the error into an answer', async () => {
    const seen: unknown[] = [];
    const gateway = createGateway<string>({
      routes,
      invoke: () => Promise.reject(new Error('x')),
      errorOf(error, trace) {
        seen.push(trace);
        return restErrorOf(error);
      },
    });
    await send(gateway, 'GET /books/7');
    gateway.problem(new Error('y'), 'other');
    expect(seen).toEqual([traceId, 'other']);
  });
});

describe('a filter at fault has the code of its operation, no matter who finds it', () => {
  const searching = 'GET /books?filters=%7B%7D';
  const listing = 'GET /books/paginated?page=1&limit=1';

  /** The violations of the proto's rules in a request. */
  function violations(rpc: string, request: JsonValue): InvalidRequest {
    const method = routes.find((route) => route.rpc.name === rpc)?.rpc;
    if (method === undefined) throw new Error(rpc);
    const result = createValidator().validate(method.input, fromJson(method.input, request));
    const fields = (result.violations ?? []).map((violation) => ({
      field: violation.field
        .map((part) => (part.kind === 'field' ? `.${part.jsonName}` : '[0]'))
        .join('')
        .slice(1),
      description: violation.message,
      violation,
    }));
    return new InvalidRequest(fields);
  }

  it.each([
    ['the operation', searching, new InvalidFilter('x'), 'INTERNAL_SERVER_ERROR'],
    ['the operation, wrapped', searching, wrapped(new InvalidFilter('x')), 'INTERNAL_SERVER_ERROR'],
    ['the operation of a page', listing, new InvalidFilter('x'), 'BAD_REQUEST'],
    [
      'a rule',
      searching,
      violations('SearchBooks', { filters: { filters: [{ field: '' }] } }),
      'INTERNAL_SERVER_ERROR',
    ],
    [
      'a rule, of a page',
      listing,
      violations('ListBooks', { page: 1, limit: 1, filters: { filters: [{}] } }),
      'BAD_REQUEST',
    ],
  ])('%s', async (_, line, error, code) => {
    const response = await send(gatewayOver(error), line);
    expect(JSON.parse(response.body ?? '')).toMatchObject({ statusCode: 400, code });
  });

  it.each([
    [badRequest('x')],
    [new DomainError('AUDIENCE_NOT_FOUND', 'x')],
    [new DomainError('PUBLICATION_SOLD', 'x')],
  ])('another error keeps its own: %s', async (error) => {
    const response = await send(gatewayOver(error), searching);
    expect(JSON.parse(response.body ?? '')).toMatchObject({ code: error.code });
  });

  function wrapped(error: DomainError): ConnectError {
    return new ConnectError(error.message, Code.InvalidArgument, undefined, undefined, error);
  }
});

describe('over HTTP', () => {
  let server: Server;
  let base: string;
  const gateway = gatewayOver({ book: { id: '7' } });

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const line = `${request.method} ${request.url}`;
        void send(gateway, line, Buffer.concat(chunks).toString(), request.headers['content-type']).then((answer) => {
          for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
          response.writeHead(answer.status).end(answer.body);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('HEAD answers what GET would, without the body', async () => {
    const get = await fetch(`${base}/books/7`);
    const head = await fetch(`${base}/books/7`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String((await get.text()).length),
      '',
    ]);
  });

  it('a form is refused with words that say what to send', async () => {
    const response = await fetch(`${base}/shelves/1/books`, {
      method: 'POST',
      body: new URLSearchParams({ title: 'a' }),
    });
    expect([response.status, await response.json()]).toEqual([
      415,
      errorBody(415, 'UNSUPPORTED_MEDIA_TYPE', expect.stringContaining('Content-Type: application/json')),
    ]);
  });
});
