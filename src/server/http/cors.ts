import { cors } from '@connectrpc/connect';
import { type Exchange, headerOf } from './exchange.ts';

/**
 * Applies the rules for browsers of other origins. Returns true if it has answered, because the request was a preflight; a promise if the
 * origin must be looked up.
 */
export type Cors = (exchange: Exchange) => boolean | Promise<boolean>;

/** The seconds for which a browser may cache a preflight: Chromium's maximum. */
const REMEMBER = 7_200;

const ALLOWED_METHODS = [...new Set([...cors.allowedMethods, 'PUT', 'PATCH', 'DELETE'])].join(', ');
const ALLOWED_HEADERS = [
  ...cors.allowedHeaders,
  'Authorization',
  'Idempotency-Key',
  'If-None-Match',
  'Laurel-Client-Id',
  'Last-Event-ID',
  'traceparent',
].join(', ');
const EXPOSED_HEADERS = [...cors.exposedHeaders, 'ETag', 'traceparent', 'Idempotency-Replayed', 'Retry-After'].join(
  ', ',
);

/**
 * Lets pages from `origins` call the service (`*` is every origin), and those from origins that any client has configured for account
 * tokens: a preflight has no credential that names a client. For other origins no header is sent, so that browsers refuse. Credentials in
 * cookies are never used, hence never allowed.
 */
export function createCors(
  origins: readonly string[],
  isConfigured: (origin: string) => Promise<boolean> = () => Promise.resolve(false),
): Cors {
  const allowed = new Set(origins);
  return (exchange) => {
    const { request, response } = exchange;
    const origin = headerOf(request, 'origin');
    response.setHeader('vary', 'Origin');
    if (origin === undefined) return false;
    if (allowed.has(origin) || allowed.has('*')) return allow(exchange, origin);
    // Without the database the origin stays unknown, and the operation answers with its own error.
    return isConfigured(origin).then(
      (isKnown) => isKnown && allow(exchange, origin),
      () => false,
    );
  };
}

/** Allows a page of the origin, and answers its preflight. */
function allow(exchange: Exchange, origin: string): boolean {
  const { request, response } = exchange;
  response.setHeader('access-control-allow-origin', origin);
  if (request.method !== 'OPTIONS' || headerOf(request, 'access-control-request-method') === undefined) {
    response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    return false;
  }
  exchange.protocol = 'http';
  exchange.route = 'preflight';
  response.setHeader('access-control-allow-methods', ALLOWED_METHODS);
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.setHeader('access-control-max-age', REMEMBER);
  response.statusCode = 204;
  response.end();
  return true;
}
