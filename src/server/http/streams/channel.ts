import type { TLSSocket } from 'node:tls';
import type { Channel } from '../../../kernel/concurrency/channel.ts';
import { headerOf, type HttpRequest } from '../exchange.ts';

/**
 * How a request came. TLS ends here, or at a proxy, which says so in `X-Forwarded-Proto`. The header is believed from everybody: who
 * makes it up gets a cookie that his own browser drops, and no page can have another person's browser send it. Without it the
 * request came from this machine if that is its host; and its origin, where a browser names one, because a proxy may not pass
 * the host on.
 */
export function channelOf(request: HttpRequest): Channel {
  if (isEncrypted(request)) return 'https';
  const [proto = ''] = (headerOf(request, 'x-forwarded-proto') ?? '').split(',');
  if (proto.trim().toLowerCase() === 'https') return 'https';
  return isLoopback(hostOf(request)) && isLoopback(originHostOf(request)) ? 'loopback' : 'plain';
}

/** A session of HTTP/2 tells also when its socket has gone. */
function isEncrypted(request: HttpRequest): boolean {
  if ('stream' in request) return request.stream?.session?.encrypted === true;
  return (request.socket as Partial<TLSSocket> | undefined)?.encrypted === true;
}

/** HTTP/2 may name the host in a pseudo-header alone. */
function hostOf(request: HttpRequest): string | undefined {
  const host = headerOf(request, 'host') ?? headerOf(request, ':authority');
  return URL.parse(`http://${host ?? ''}`)?.hostname;
}

/** The host of the page that sends the request; without a page, or where the browser hides it, the host that it is sent to. */
function originHostOf(request: HttpRequest): string | undefined {
  const origin = headerOf(request, 'origin');
  return origin === undefined || origin === 'null' ? hostOf(request) : URL.parse(origin)?.hostname;
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}
