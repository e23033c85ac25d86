import type http from 'node:http';
import type http2 from 'node:http2';
import { type ContextKey, type ContextValues, createContextKey, createContextValues } from '@connectrpc/connect';
import type { AnsweredCall, CallFailure } from '../../clients/answered-call.ts';
import { principalKey } from '../../clients/principal.ts';
import { responseHooksKey } from '../../kernel/concurrency/after-response.ts';
import type { DomainError } from '../../kernel/errors/domain-error.ts';
import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import { receivedAtKey } from '../../kernel/time/received-at.ts';
import { earliestArrival } from '../../kernel/concurrency/stalls.ts';
import { parseTraceparent, type Span, type SpanContext, startSpan } from '../../kernel/tracing.ts';
import type { BodyBudget, BodyShare } from './limits/body-budget.ts';
import { traceContextOf } from './trace-context.ts';

/** A request of either HTTP version. */
export type HttpRequest = http.IncomingMessage | http2.Http2ServerRequest;

/** A response of either HTTP version. */
export type HttpResponse = http.ServerResponse | http2.Http2ServerResponse;

/** The protocol of a request; `http` is for pages, which are no operation (`/healthz`, `/docs`, ...). */
export type Protocol = 'rest' | 'connect' | 'grpc' | 'grpc-web' | 'http';

/** Requested every few seconds: a trace of them has no use. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The state of one request that the log, the metrics, authentication and the operation share.
 *
 * It is a class, because an object literal's getters are created again for every request. The signal and the headers must be getters:
 * creating them costs more than the rest of an exchange, and most operations use neither.
 */
export class Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly trace: SpanContext;
  /** Undefined while tracing is off, and for probes. Named and ended when the exchange has been answered. */
  readonly span: Span | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt = performance.now();
  /** The path without its query, still percent-encoded. */
  readonly path: string;
  readonly requestMethod: string;
  readonly url: string;
  /** Carries the principal and the response hooks to the operation. */
  readonly contextValues: ContextValues;
  /** Callbacks for when the response has been written. */
  readonly hooks: (() => void)[] = [];
  protocol: Protocol = 'rest';
  /** The operation, in few distinct values: an RPC, a page, or `unmatched`. */
  route = 'unmatched';
  /** The failure of the operation, in REST's terms; undefined without one. A gRPC failure has the HTTP status 200. */
  failure: (CallFailure & { readonly code: ErrorCodeName }) | undefined;
  /** The request as the operation took it, for the log of refused calls: see {@link AnsweredCall}. */
  called: Pick<AnsweredCall, 'asked' | 'items'> | undefined;
  /** Its share of the budget for bodies, released with the answer. */
  body: BodyShare | undefined;
  readonly #bodies: BodyBudget;
  #gone: AbortController | undefined;
  #header: Headers | undefined;

  /** Begins the exchange of a request that has just arrived. */
  constructor(request: HttpRequest, response: HttpResponse, bodies: BodyBudget) {
    this.#bodies = bodies;
    this.request = request;
    this.response = response;
    this.requestMethod = request.method ?? 'GET';
    this.url = originForm(request.url ?? '/');
    const query = this.url.indexOf('?');
    this.path = query < 0 ? this.url : this.url.slice(0, query);
    const traceparent = headerOf(request, 'traceparent');
    this.span = PROBES.has(this.path)
      ? undefined
      : startSpan({ name: this.requestMethod, kind: 'SERVER', parent: parseTraceparent(traceparent) });
    this.trace = this.span?.context ?? traceContextOf(traceparent);
    this.contextValues = createContextValues()
      .set(exchangeKey, this)
      .set(receivedAtKey, earliestArrival())
      .set(responseHooksKey, (callback) => this.onAnswered(callback));
  }

  /** Registers a callback for the end of the response. The function is replaced then, because work may outlast its caller. */
  onAnswered: (callback: () => void) => void = (callback) => this.hooks.push(callback);

  /** The id of the trace, for the log line, the error body and the header `traceparent`. */
  get traceId(): string {
    return this.trace.traceId;
  }

  /** Whether the request has an accepted credential; known only after the gate. */
  get isAuthenticated(): boolean {
    return this.contextValues.get(principalKey) !== undefined;
  }

  /** Opens the share of the body, after the gate. See {@link BodyBudget.open}. */
  openBody(giveUp: (error: DomainError) => void): BodyShare {
    this.body = this.#bodies.open(this.contextValues.get(principalKey)?.clientId, giveUp);
    return this.body;
  }

  /** The signal that is aborted when the caller disconnects before the answer, or no longer waits. */
  get signal(): AbortSignal {
    this.#gone ??= goneOf(this.response);
    return this.#gone.signal;
  }

  /** Aborts the signal, because the deadline of the caller has passed. */
  abandon(): void {
    this.#gone ??= goneOf(this.response);
    this.#gone.abort();
  }

  /** The request headers in the form that Connect's interceptors expect. */
  get header(): Headers {
    this.#header ??= headersOf(this.request);
    return this.#header;
  }
}

/** The key of the exchange in the context values; undefined if a test calls without a server. */
export const exchangeKey: ContextKey<Exchange | undefined> = createContextKey<Exchange | undefined>(undefined, {
  description: 'exchange',
});

/** A proxy may send the whole address (`GET http://host/path`), which RFC 9112 requires servers to accept. */
function originForm(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** A request header that may occur only once; the first of several. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Whether the caller, or its connection, disconnected before the complete answer. */
export function isGone(response: HttpResponse): boolean {
  if (!('stream' in response)) return response.destroyed && !response.writableFinished;
  // Node's HTTP/2 response does not show it, only its stream does; and Node itself finishes a reset response.
  const { destroyed, aborted, writableFinished } = response.stream;
  return destroyed && (aborted || !writableFinished);
}

function goneOf(response: HttpResponse): AbortController {
  const controller = new AbortController();
  if (isGone(response)) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller;
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
