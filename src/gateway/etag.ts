import { createHash } from 'node:crypto';
import type { RestResponse } from '../server/http/rest-message.ts';

/**
 * The answer of a route with the option `etag`: with a strong ETag of its body, or 304 without a body if the client has that body already.
 * A cache may keep it for its user, and asks each time whether it still holds: ranks change at any moment.
 * @param response a successful answer
 * @param ifNoneMatch the header `If-None-Match`
 */
export function withEtag(response: RestResponse, ifNoneMatch: string | undefined): RestResponse {
  const etag = etagOf(response);
  const headers = { etag, 'cache-control': 'private, no-cache' };
  if (ifNoneMatch !== undefined && includesEtag(ifNoneMatch, etag)) return { status: 304, headers, body: undefined };
  return { ...response, headers: { ...response.headers, ...headers } };
}

function etagOf({ body, pieces }: RestResponse): string {
  const hash = createHash('sha256');
  for (const part of pieces ?? [body ?? '']) hash.update(part);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

/** Compares weakly, as RFC 9110 demands of `If-None-Match`: a proxy that compresses may have made the ETag weak. */
function includesEtag(ifNoneMatch: string, etag: string): boolean {
  const sent = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return sent.includes('*') || sent.includes(etag);
}
