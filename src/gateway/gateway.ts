import type { DescMethodUnary, Message } from '@bufbuild/protobuf';
import { nullable, omit_empty } from '../../gen/laurel/http/v1/options_pb.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import type { AnswerHeaders } from '../server/http/answer.ts';
import { methodNotAllowed, unknownPath } from '../server/http/protocol-error.ts';
import type { RestRequest, RestResponse } from '../server/http/rest-message.ts';
import type { RestError } from '../server/rpc/error-table.ts';
import { type Binding, bindingOf } from './binding.ts';
import { withEtag } from './etag.ts';
import { withFilterCode } from './filter-fault.ts';
import { inSentNames } from './sent-names.ts';
import { type RequestReader, requestReaderOf } from './request-reader.ts';
import {
  type LongResponseWriter,
  longResponseWriterOf,
  type ResponseWriter,
  responseWriterOf,
} from './response-writer.ts';
import type { Route } from './route.ts';
import { type RouteMatch, routeMatcher } from './route-matcher.ts';

/**
 * REST in front of the operations: finds the route, builds the request message, calls the operation, writes the answer. The server handles
 * bytes, body limit, authentication, trace ids and time-outs.
 * @throws Error if a route cannot be served or two routes take the same requests
 */
export function createGateway<Context>(options: GatewayOptions<Context>): Gateway<Context> {
  const find = routeMatcher(options.routes.map(serve));
  const { invoke, errorOf } = options;

  return {
    match(httpMethod, url) {
      const mark = url.indexOf('?');
      const path = mark === -1 ? url : url.slice(0, mark);
      const match = find(httpMethod, path);
      if (match.kind !== 'found') return { kind: match.kind, error: refusal(match, httpMethod, path) };
      const { route, values } = match;
      const query = mark === -1 ? '' : url.slice(mark + 1);
      return {
        kind: 'found',
        method: route.rpc,
        takesBody: takesBody(route),
        template: route.path,
        route,
        values,
        query,
      };
    },

    refuse(refused, traceId) {
      return problem(errorOf(refused.error, traceId), traceId);
    },

    async handle({ route, values, query }, { body, contentType, header, traceId, context }) {
      try {
        const message = route.read({ values, query, body: { bytes: body, contentType, header } });
        const answer = await invoke(route.rpc, message, context);
        const long = route.writeLong(answer.message);
        const response = long === undefined ? success(route, answer) : longSuccess(route, answer, await long);
        return route.etag ? withEtag(response, header?.('if-none-match')) : response;
      } catch (error) {
        return problem(errorOf(withFilterCode(inSentNames(error, route), route), traceId), traceId);
      }
    },

    problem(error, traceId) {
      return problem(errorOf(error, traceId), traceId);
    },
  };
}

export type GatewayOptions<Context> = {
  /** `gen/routes.ts`. */
  readonly routes: readonly Route[];
  /** Calls the operation with all interceptors; `context` is the argument of `handle`. */
  invoke(method: DescMethodUnary, message: Message, context: Context): Promise<Answer>;
  /** The answer to an error; logs unexpected errors. */
  errorOf(error: unknown, traceId: string): RestError;
};

/** The answer of an operation; `header` has the response headers that it set. */
export type Answer = { readonly message: Message; readonly header?: Headers | undefined };

export type Gateway<Context> = {
  /**
   * Needs neither body nor credential, so that the server can authenticate before it reads the body.
   * @param url path and query as sent
   */
  match(httpMethod: string, url: string): Match;
  /** Never rejects: every error becomes an answer. */
  handle(match: MatchedRoute, request: RestRequest<Context>): Promise<RestResponse>;
  /** The answer to a request without an operation: 400, 404, or 405 with `allow`. */
  refuse(match: Refused, traceId: string): RestResponse;
  /** The answer to an error before `handle`: a missing credential, a body too large. */
  problem(error: unknown, traceId: string): RestResponse;
};

export type Match = MatchedRoute | Refused;

/** A request without an operation; `error` has the reason. */
export type Refused = { readonly kind: 'notFound' | 'methodNotAllowed' | 'malformed'; readonly error: Error };

/** The operation for the request, with the values of its path. */
export type MatchedRoute = {
  readonly kind: 'found';
  readonly method: DescMethodUnary;
  /**
   * Whether the server must read the body and pass it on. Also true for an operation without a body, so that the body is refused, not
   * ignored.
   */
  readonly takesBody: boolean;
  /** The path of the route with its variables, for logs and metrics: `/accounts/{id}`. */
  readonly template: string;
  readonly route: ServedRoute;
  readonly values: readonly string[];
  readonly query: string;
};

/** A route with a prepared reader and writer. */
export type ServedRoute = Binding & {
  readonly read: RequestReader;
  readonly write: ResponseWriter;
  readonly writeLong: LongResponseWriter;
};

function serve(route: Route): ServedRoute {
  const binding = bindingOf(route);
  return {
    ...binding,
    read: requestReaderOf(binding),
    write: responseWriterOf(binding, { nullable, omitEmpty: omit_empty }),
    writeLong: longResponseWriterOf(binding, { nullable, omitEmpty: omit_empty }),
  };
}

function takesBody(route: Route): boolean {
  return route.httpMethod !== 'GET' || route.body !== '';
}

function refusal(match: Exclude<RouteMatch<never>, { kind: 'found' }>, httpMethod: string, path: string): Error {
  if (match.kind === 'methodNotAllowed') return methodNotAllowed(httpMethod, match.allowed);
  if (match.kind === 'malformed') return badRequest('The path is not valid percent-encoded UTF-8.');
  return unknownPath(httpMethod, path.slice(0, 200));
}

function success(route: ServedRoute, { message, header }: Answer): RestResponse {
  const body = route.write(message);
  const cookies = header?.getSetCookie() ?? [];
  const headers = { ...Object.fromEntries(header ?? []), ...(cookies.length > 1 && { 'set-cookie': cookies }) };
  return { status: route.successStatus, headers: withBody(headers, body), body };
}

function longSuccess(route: ServedRoute, { header }: Answer, pieces: readonly Buffer[]): RestResponse {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const headers = { ...Object.fromEntries(header ?? []), 'content-type': 'application/json' };
  return {
    status: route.successStatus,
    headers: { ...headers, 'content-length': String(length) },
    body: undefined,
    pieces,
  };
}

function problem(failure: RestError, traceId: string): RestResponse {
  const { statusCode, code, message, details, headers } = failure;
  const body = JSON.stringify({ statusCode, message, code, traceId, details });
  return { status: statusCode, headers: withBody(headers ?? {}, body), body, failure };
}

function withBody(headers: AnswerHeaders, body: string | undefined): AnswerHeaders {
  if (body === undefined) return headers;
  return { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}
