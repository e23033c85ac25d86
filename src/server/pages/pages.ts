import { hash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { answer, answerJson } from '../http/answer.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Metrics } from '../metrics.ts';
import { methodNotAllowed, ProtocolError } from '../http/protocol-error.ts';
import type { Readiness } from '../readiness.ts';

/** Answers an exchange for one of the server's own pages; undefined for any other path. */
export type Pages = (exchange: Exchange) => Promise<void> | undefined;

/** The settings of the pages. */
export type PagesOptions = {
  /** The generated description in YAML. */
  readonly openapiPath?: string | undefined;
  /** The bearer token of `/metrics`; without it the page is public. */
  readonly metricsToken?: string | undefined;
  /** The release that runs, for `/healthz`. */
  readonly release?: Readonly<Record<string, string>> | undefined;
  /** The public keys of account tokens; without them there is no page of them. */
  readonly jwks?: (() => Promise<object>) | undefined;
};

/**
 * The pages for operators and readers: `/healthz` (the process lives), `/readyz` (it can work), `/metrics`,
 * `/openapi.json` and `/.well-known/jwks.json`. They need
 * no client's credential and show no client's data.
 */
export function createPages(readiness: Readiness, metrics: Metrics, options: PagesOptions): Pages {
  const { openapiPath, metricsToken } = options;
  // The bytes are shared by all answers: a thousand unread answers hold them once.
  let openapi: Promise<Buffer> | undefined;
  const loadOpenapi = () => {
    openapi ??= readOpenapi(openapiPath);
    return openapi;
  };
  const pages: Record<string, (exchange: Exchange) => Promise<void>> = {
    async '/healthz'(exchange) {
      answerJson(exchange, 200, { status: 'ok', ...options.release });
    },
    async '/readyz'(exchange) {
      const reason = await readiness.reason();
      answerJson(
        exchange,
        reason === undefined ? 200 : 503,
        reason === undefined ? { status: 'ready' } : { status: 'unready', reason },
      );
    },
    async '/metrics'(exchange) {
      if (metricsToken !== undefined) assertBearer(exchange, metricsToken);
      const text = await metrics.text();
      answer(exchange, 200, { 'content-type': metrics.registry.contentType }, text);
    },
    async '/openapi.json'(exchange) {
      answer(exchange, 200, { 'content-type': 'application/json' }, await loadOpenapi());
    },
  };

  const { jwks } = options;
  if (jwks !== undefined)
    pages['/.well-known/jwks.json'] = async (exchange) => {
      answerJson(exchange, 200, await jwks(), { 'cache-control': 'public, max-age=300' });
    };

  return (exchange) => {
    const page = Object.hasOwn(pages, exchange.path) ? pages[exchange.path] : undefined;
    if (page === undefined) return undefined;
    exchange.protocol = 'http';
    exchange.route = exchange.path;
    const readable = exchange.requestMethod === 'GET' || exchange.requestMethod === 'HEAD';
    return readable ? page(exchange) : Promise.reject(methodNotAllowed(exchange.requestMethod, ['GET', 'HEAD']));
  };
}

/** @throws DomainError unauthenticated; digests are compared, because they always have the same length */
function assertBearer({ request }: Exchange, token: string): void {
  const sent = hash('sha256', headerOf(request, 'authorization') ?? '', 'buffer');
  if (timingSafeEqual(sent, hash('sha256', `Bearer ${token}`, 'buffer'))) return;
  throw new DomainError(
    'UNAUTHENTICATED',
    'The metrics ask for the token of this service: send `Authorization: Bearer <LAUREL_METRICS_TOKEN>`.',
  );
}

async function readOpenapi(path: string | undefined): Promise<Buffer> {
  if (path === undefined)
    throw new ProtocolError('NOT_FOUND', 'This server was started without its OpenAPI description.');
  // Parsed on first use, because the start must not wait for a rarely used page.
  const { parse } = await import('yaml');
  return Buffer.from(JSON.stringify(parse(await readFile(path, 'utf8'))));
}
