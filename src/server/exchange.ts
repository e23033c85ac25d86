import type http from 'node:http';
import type http2 from 'node:http2';
import { type ContextKey, type ContextValues, createContextKey, createContextValues } from '@connectrpc/connect';
import { responseHooksKey } from '../kernel/after-response.ts';
import { type TraceContext, traceContextOf } from './trace-context.ts';

/** A request of either HTTP version. */
export type HttpRequest = http.IncomingMessage | http2.Http2ServerRequest;

/** A response of either HTTP version. */
export type HttpResponse = http.ServerResponse | http2.Http2ServerResponse;

/** How a request is spoken; `http` is for the pages that are no operation (`/healthz`, `/docs`, ...). */
export type Protocol = 'rest' | 'connect' | 'grpc' | 'grpc-web' | 'http';

/** One request being answered: what the log, the metrics, authentication and the operation share about it. */
export type Exchange = {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly trace: TraceContext;
  /** The trace's id: in the log line, in the error body, and in the header `traceparent`. */
  readonly traceId: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** The path without its query, still percent-encoded. */
  readonly path: string;
  /** Carries the principal and the response hooks to the operation. */
  readonly contextValues: ContextValues;
  /** Aborted when the caller has gone before it was answered. */
  readonly signal: AbortSignal;
  readonly requestMethod: string;
  readonly url: string;
  /** The request headers in the form that Connect's interceptors expect; made on first use. */
  readonly header: Headers;
  protocol: Protocol;
  /** What was asked for, in few distinct values: an RPC, a page, or `unmatched`. */
  route: string;
  /** How the operation failed, in REST's terms; undefined while it has not. A gRPC failure has HTTP status 200 outside. */
  failure: { readonly statusCode: number; readonly code: string } | undefined;
  /** Callbacks for when the response has been written. */
  readonly hooks: (() => void)[];
};

/** Where interceptors find the exchange of a call; undefined where a test calls without a server. */
export const exchangeKey: ContextKey<Exchange | undefined> = createContextKey<Exchange | undefined>(undefined, {
  description: 'exchange',
});

/** Begins the exchange of a request that has just arrived. */
export function createExchange(request: HttpRequest, response: HttpResponse): Exchange {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  const trace = traceContextOf(headerOf(request, 'traceparent'));
  const hooks: (() => void)[] = [];
  const contextValues = createContextValues();
  let signal: AbortSignal | undefined;
  let header: Headers | undefined;
  const exchange: Exchange = {
    request,
    response,
    trace,
    traceId: trace.traceId,
    startedAt: performance.now(),
    path: query < 0 ? url : url.slice(0, query),
    contextValues,
    requestMethod: request.method ?? 'GET',
    url,
    protocol: 'rest',
    route: 'unmatched',
    failure: undefined,
    hooks,
    // An AbortController and a Headers object cost more than the rest of an exchange, and most operations use neither.
    get signal() {
      signal ??= goneSignal(response);
      return signal;
    },
    get header() {
      header ??= headersOf(request);
      return header;
    },
  };
  contextValues.set(exchangeKey, exchange).set(responseHooksKey, (callback) => hooks.push(callback));
  return exchange;
}

/** A request header that may be sent once only; of several, the first. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function goneSignal(response: HttpResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed && !response.writableFinished) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function headersOf(request: HttpRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2's pseudo-headers (`:path`) are no header names to `Headers`.
    if (value === undefined || name.startsWith(':')) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  return headers;
}
