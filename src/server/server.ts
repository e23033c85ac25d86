import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Health } from '../../gen/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '../../gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionAlpha } from '../../gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import type { TokenWatch } from '../clients/account-tokens/token-watch.ts';
import type { Authenticator } from '../clients/credentials/authenticate.ts';
import { badRequest, type DomainError } from '../kernel/errors/domain-error.ts';
import type { NewLimiter } from '../kernel/concurrency/limiter.ts';
import { inSpan, traceparentOf } from '../kernel/tracing.ts';
import { type CallWatchers, logSampling, whenAnswered } from './http/access-log.ts';
import { createRefusalLog, type RefusalLog } from './http/limits/refusal-log.ts';
import { answerError } from './http/answer.ts';
import { createBodyBudget } from './http/limits/body-budget.ts';
import { answerMalformedHttp } from './http/malformed-http.ts';
import { restErrors } from './rpc/connect-error.ts';
import { createConnectListener } from './rpc/connect-listener.ts';
import { createConsolePages } from './pages/console-pages.ts';
import { createDocsPages } from './pages/docs-pages.ts';
import { createCors } from './http/cors.ts';
import { Exchange } from './http/exchange.ts';
import { createGate, type Gate } from './http/limits/gate.ts';
import { createGrpcUnary } from './rpc/grpc-unary.ts';
import { healthService } from './rpc/health.service.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createOnePort, MAX_HEADER_BYTES, type Timeouts } from './http/one-port.ts';
import type { Operations } from './rpc/operations.ts';
import { createPages, type Pages } from './pages/pages.ts';
import { createWidgetsPages } from './pages/widgets-pages.ts';
import { headersTooLarge } from './http/protocol-error.ts';
import { createPublicStreams } from './http/streams/public-streams.ts';
import { createRateLimit, type RateLimitOptions } from './http/limits/rate-limit.ts';
import { expectsContinue } from './http/read-body.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';
import { reflectionServices } from './rpc/reflection.service.ts';
import { type RestGateway, serveRest } from './http/rest-listener.ts';
import { openTlsFiles, type TlsFiles } from './http/tls-files.ts';

/** The dependencies of a server. */
export type ServerOptions = {
  /** 0 lets the system choose one. */
  readonly port: number;
  /** The address to listen on; every one if left out. */
  readonly host?: string;
  /** The certificate of the port and its key, read every `tlsCheckMs` milliseconds (10 s); plaintext if left out. */
  readonly tls?: TlsFiles | undefined;
  readonly tlsCheckMs?: number;
  /** The registry with all services; health and reflection are added here. */
  readonly operations: Operations;
  readonly rest: RestGateway;
  /** Answers an exchange for a streaming operation; undefined for any other path. */
  readonly streams?: (exchange: Exchange, gate: Gate) => Promise<void> | undefined;
  readonly authenticator: Authenticator;
  /** Learns of each answered call of a known caller. */
  readonly observeCall?: CallWatchers['observe'];
  /** The readiness check of `/readyz`. */
  readonly db: { ping(): Promise<void> };
  /** Further checks of `/readyz`: each returns at once the reason for which the service cannot work, or undefined. */
  readonly unreadyReasons?: readonly (() => string | undefined)[];
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Origins whose pages may call the service from a browser; none if left out. */
  readonly corsOrigins?: readonly string[];
  /** The generated OpenAPI description, in YAML. */
  readonly openapiPath?: string;
  /** The release that runs, for `/healthz`. */
  readonly release?: Readonly<Record<string, string>>;
  /** The API key of the service's own demo, for `/docs` opened on this machine; undefined while there is none. */
  readonly demoKey?: ((word: string) => string | undefined) | undefined;
  /** Further pages beside the server's own. */
  readonly morePages?: Pages | undefined;
  readonly timeouts?: Timeouts;
  /** The maximum of bytes of all request bodies held at once. Default 64 MiB. */
  readonly bodyBudgetBytes?: number | undefined;
  /** The rate limit of one credential; no limit if left out. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** The rate limit of the account tokens of one account; no limit if left out. */
  readonly accountRateLimit?: RateLimitOptions | undefined;
  /** The origins that clients have configured for account tokens, and the published keys. */
  readonly accountTokens?: Pick<TokenWatch, 'hasOrigin' | 'jwks'> | undefined;
  /** The maximum of open streams without a credential of one address in this process; 100 by default, and ten times as many for all. */
  readonly publicStreams?: number | undefined;
  /** New connections per second from an address without an accepted credential; 20 by default, 0 for no limit. */
  readonly anonymousConnectionsPerSecond?: number | undefined;
  /** Makes the limiter of requests; each process counts separately if left out. */
  readonly newLimiter?: NewLimiter | undefined;
  /** Whether the operator's proxy writes `X-Forwarded-For`. Default false, because any caller can send the header. */
  readonly trustForwarded?: boolean;
  /** The bearer token of `/metrics`; without it they are open. */
  readonly metricsToken?: string | undefined;
  /** The share of written log lines about successful quick calls, from 0 to 1. Default 1. */
  readonly logSuccessShare?: number | undefined;
  /**
   * Milliseconds between the 503 of `/readyz` and the end of the port, so that a load balancer notices in time. Default 0. Everything is
   * still served meanwhile, and HTTP/1.1 connections are closed with their next answer.
   */
  readonly drainDelayMs?: number;
  /** Milliseconds that running requests get to finish. Default 10 s. */
  readonly drainTimeoutMs?: number;
};

/** A server that accepts requests. */
export type RunningServer = {
  readonly port: number;
  /**
   * Accepts no more connections, finishes running requests, and resolves when the last connection is closed. A second call joins the first.
   * @param options.atOnce skips `drainDelayMs`, for an operator at a terminal
   */
  close(options?: CloseOptions): Promise<void>;
};

/** The options of {@link RunningServer.close}. */
export type CloseOptions = { readonly atOnce?: boolean };

const DRAIN_TIMEOUT = 10_000;

const DEFAULT_BODY_BUDGET = 64 * 2 ** 20;

/**
 * Starts to serve REST, Connect, gRPC and gRPC-Web on one port, over HTTP/1.1 and HTTP/2, with TLS or without.
 * @throws Error if the port is taken, or the certificate cannot be used
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { operations, logger } = options;
  const metrics = options.metrics ?? createMetrics(undefined, options.metricsToken !== undefined);
  const certificate = options.tls && (await openTlsFiles(options.tls, { logger, everyMs: options.tlsCheckMs }));
  if (certificate)
    metrics.watch(
      'laurel_tls_certificate_expiry_seconds',
      'When the certificate of the port expires, in seconds since 1970.',
      certificate.expiresAt,
    );
  const readiness = createReadiness(options.db, options.unreadyReasons);
  const refusedLines = createRefusalLog(logger);
  const shutdown = new AbortController();
  addOwnServices(operations, readiness, shutdown.signal);
  let draining = false;
  const onePort = createOnePort(
    createListener({ ...options, metrics, refusedLines }, readiness, () => draining),
    (error, socket: net.Socket) => answerMalformedHttp(error, socket, logger),
    options.timeouts,
    certificate,
    options.anonymousConnectionsPerSecond,
  );
  metrics.watch(
    'laurel_anonymous_connections_waiting',
    'Connections of addresses without a credential that wait for their turn.',
    onePort.waiting,
  );
  const port = await onePort.listen(options.port, options.host);
  let closing: Promise<void> | undefined;

  async function drain({ atOnce = false }: CloseOptions): Promise<void> {
    readiness.drain();
    draining = true;
    if (!atOnce && options.drainDelayMs) await sleep(options.drainDelayMs);
    // A health watch would otherwise hold the port open until the time limit.
    shutdown.abort();
    await onePort.close(options.drainTimeoutMs ?? DRAIN_TIMEOUT);
    refusedLines.flush();
    certificate?.stop();
  }

  return {
    port,
    close(how = {}) {
      closing ??= drain(how);
      return closing;
    },
  };
}

function addOwnServices(operations: Operations, readiness: Readiness, shutdown: AbortSignal): void {
  const everybody = { permission: Permission.ANYONE };
  const reflection = reflectionServices(operations);
  operations.add(Health, healthService(operations, readiness, shutdown), everybody);
  operations.add(ServerReflection, reflection.v1, everybody);
  operations.add(ServerReflectionAlpha, reflection.v1alpha, everybody);
}

function createListener(
  options: ServerOptions & { readonly metrics: Metrics; readonly refusedLines: RefusalLog },
  readiness: Readiness,
  isDraining: () => boolean,
) {
  const { operations, logger, metrics } = options;
  const publicStreams = createPublicStreams(options.publicStreams);
  const gate = createGate(options.authenticator, operations.needs, {
    rateLimit: options.rateLimit === undefined ? undefined : createRateLimit(options.rateLimit, options.newLimiter),
    accountLimit: options.accountRateLimit && createRateLimit(options.accountRateLimit, options.newLimiter),
    trustForwarded: options.trustForwarded,
    publicStreams,
  });
  metrics.watch('laurel_public_streams', 'Streams without a credential that are open now.', publicStreams.open);
  const bodies = createBodyBudget(options.bodyBudgetBytes ?? DEFAULT_BODY_BUDGET);
  metrics.watch('http_request_body_bytes', 'Bytes of request bodies that are held now.', bodies.held);
  const cors = createCors(options.corsOrigins ?? [], options.accountTokens?.hasOrigin);
  const pages = createPages(readiness, metrics, { ...options, jwks: options.accountTokens?.jwks });
  const consolePages = createConsolePages();
  const docsPages = createDocsPages({ demoKey: options.demoKey });
  const widgetsPages = createWidgetsPages();
  const grpcUnary = createGrpcUnary(operations, gate, logger);
  const connect = createConnectListener(operations, gate, logger);
  const restError = restErrors(logger);
  // The line of each answer contains no secrets, and a search for them would cost more than the line.
  const accessLog = logger.child({}, { redact: [] });
  const isWritten = logSampling(options.refusedLines, options.logSuccessShare);
  const watchers: CallWatchers = { metrics, isWritten, observe: options.observeCall };

  return (request: Exchange['request'], response: Exchange['response']): void => {
    const exchange = new Exchange(request, response, bodies);
    response.setHeader('traceparent', traceparentOf(exchange.trace));
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    // A caller that waits for a 100 may or may not send its body after a refusal, so the connection cannot stay.
    const lasts = !isDraining() && !expectsContinue(exchange);
    if (!lasts && request.httpVersionMajor === 1) response.setHeader('connection', 'close');
    whenAnswered(exchange, accessLog, watchers);
    const answeredByCors = cors(exchange);
    if (answeredByCors === true) return;
    if (answeredByCors !== false) {
      answeredByCors
        .then((isAnswered) => isAnswered || serve(exchange))
        .catch((error: unknown) => fail(exchange, error));
      return;
    }
    serve(exchange);
  };

  function fail(exchange: Exchange, error: unknown): void {
    answerError(exchange, restError(error, exchange.traceId));
  }

  function serve(exchange: Exchange): void {
    const { request } = exchange;
    if (request.httpVersionMajor === 2 && isLarge(request)) {
      return fail(exchange, headersTooLarge(MAX_HEADER_BYTES));
    }
    if (lacksHost(request)) return fail(exchange, missingHost());
    const begin = () =>
      pages(exchange) ??
      consolePages(exchange) ??
      docsPages(exchange) ??
      widgetsPages(exchange) ??
      options.morePages?.(exchange) ??
      grpcUnary(exchange) ??
      connect(exchange) ??
      options.streams?.(exchange, gate) ??
      serveRest(options.rest, gate, exchange);
    try {
      const answered = inSpan(exchange.span, begin);
      answered.catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      // Thrown into Node's own event, one request's error would end the process.
      fail(exchange, error);
    }
  }
}

/** Whether the headers are too large. HTTP/1.1's parser enforces the limit; HTTP/2 only announces it. */
function isLarge({ rawHeaders }: Exchange['request']): boolean {
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  return size > MAX_HEADER_BYTES;
}

/** Whether the request lacks `Host` (RFC 9112, 3.2). Node would refuse it without a message and without our headers. */
function lacksHost({ httpVersion, headers }: Exchange['request']): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function missingHost(): DomainError {
  return badRequest('The header `Host` is missing. HTTP/1.1 asks for one.');
}
