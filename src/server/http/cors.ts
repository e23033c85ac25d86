import { cors } from '@connectrpc/connect';
import { type Exchange, headerOf } from './exchange.ts';

/** Applies the rules for browsers of other origins. Returns true if it has answered, because the request was a preflight. */
export type Cors = (exchange: Exchange) => boolean;

/** The seconds for which a browser may cache a preflight: Chromium's maximum. */
const REMEMBER = 7_200;

const ALLOWED_METHODS = [...new Set([...cors.allowedMethods, 'PUT', 'PATCH', 'DELETE'])].join(', ');
const ALLOWED_HEADERS = [
  ...cors.allowedHeaders,
  'Authorization',
  'Idempotency-Key',
  'Laurel-Client-Id',
  'traceparent',
].join(', ');
const EXPOSED_HEADERS = [...cors.exposedHeaders, 'traceparent', 'Idempotency-Replayed', 'Retry-After'].join(', ');

/**
 * Lets pages from `origins` call the service (`*` is every origin). Without origins no header is sent, so that browsers
 * refuse. Credentials in cookies are never used, hence never allowed.
 */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => false;
  const allowed = new Set(origins);
  return (exchange) => {
    const { request, response } = exchange;
    const origin = headerOf(request, 'origin');
    response.setHeader('vary', 'Origin');
    if (origin === undefined || !(allowed.has(origin) || allowed.has('*'))) return false;
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
  };
}
