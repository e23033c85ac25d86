import { create, type DescMethodUnary, fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { ErrorInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import type { Route } from '../../../src/gateway/route.ts';
import type { RestAnswer, TestService } from '../../support/service.ts';
import { type Fields, restRequest } from './requests.ts';

/** Calls any operation by its route with the fields of its request; without a token, no credential is sent. */
export type Caller = {
  readonly protocol: 'REST' | 'gRPC';
  call(route: Route, fields: Fields, token?: string, headers?: Readonly<Record<string, string>>): Promise<RestAnswer>;
  close(): void;
};

/** REST as in the route; the answer is not checked against the description again. */
export function restCaller({ baseUrl }: Pick<TestService, 'baseUrl'>): Caller {
  return {
    protocol: 'REST',
    async call(route, fields, token, headers) {
      const { method, path, body } = restRequest(route, fields);
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    close() {},
  };
}

/** gRPC over one HTTP/2 session. Its answers are converted to REST's form, so that both can be compared. */
export function grpcCaller({ baseUrl }: Pick<TestService, 'baseUrl'>): Caller {
  const session = new Http2SessionManager(baseUrl);
  const transport = createGrpcTransport({ baseUrl, sessionManager: session });
  return {
    protocol: 'gRPC',
    async call({ rpc, responseBody }, fields, token, headers) {
      const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
      const message = fromJson(rpc.input, jsonOf(rpc, fields));
      try {
        const answer = await transport.unary(rpc, undefined, 10_000, { ...headers, ...authorization }, message);
        const json = toJson(rpc.output, create(rpc.output, answer.message), { alwaysEmitImplicit: true });
        const body = responseBody === '' ? json : (json as Record<string, JsonValue>)[camelCase(responseBody)];
        return { status: 200, headers: answer.header, body };
      } catch (error) {
        return failureOf(ConnectError.from(error));
      }
    },
    close: () => session.abort(),
  };
}

/** In REST's query `filters` is text; in the message it is an object. */
function jsonOf({ input }: DescMethodUnary, fields: Fields): JsonValue {
  const parsed = Object.entries(fields).map(([name, value]) => {
    const field = input.fields.find(({ jsonName }) => jsonName === name);
    const isText = typeof value === 'string' && field?.message?.typeName === 'laurel.v1.Filter';
    return [name, isText ? JSON.parse(value) : value];
  });
  return Object.fromEntries(parsed) as JsonValue;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_part, letter: string) => letter.toUpperCase());
}

const STATUSES: Partial<Record<Code, number>> = {
  [Code.InvalidArgument]: 400,
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.FailedPrecondition]: 409,
  [Code.Aborted]: 409,
  [Code.ResourceExhausted]: 429,
  [Code.Unavailable]: 503,
};

function failureOf(error: ConnectError): RestAnswer {
  const status = STATUSES[error.code] ?? 500;
  const [info] = error.findDetails(ErrorInfoSchema);
  return {
    status,
    headers: error.metadata,
    body: { statusCode: status, message: error.rawMessage, code: info?.reason, traceId: info?.metadata['traceId'] },
  };
}
