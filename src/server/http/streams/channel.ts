import type { TLSSocket } from 'node:tls';
import type { Channel } from '../../../kernel/concurrency/channel.ts';
import { headerOf, type HttpRequest } from '../exchange.ts';

/**
 * The channel of a request. TLS ends here, or at a proxy, which sets `X-Forwarded-Proto`. The header needs no trust: a caller that forges
 * it gets a cookie that its own browser drops, and a page cannot make another person's browser send it. Without the header, the request is
 * local if its host is this machine, and its origin too if a browser sends one, because a proxy may replace the host.
 */
export function channelOf(request: HttpRequest): Channel {
  if (isEncrypted(request)) return 'https';
  const [proto = ''] = (headerOf(request, 'x-forwarded-proto') ?? '').split(',');
  if (proto.trim().toLowerCase() === 'https') return 'https';
  return isLoopback(hostOf(request)) && isLoopback(originHostOf(request)) ? 'loopback' : 'plain';
}

/** An HTTP/2 session knows it even after the end of its socket. */
function isEncrypted(request: HttpRequest): boolean {
  if ('stream' in request) return request.stream?.session?.encrypted === true;
  return (request.socket as Partial<TLSSocket> | undefined)?.encrypted === true;
}

/** The host; HTTP/2 may send it in a pseudo-header only. */
function hostOf(request: HttpRequest): string | undefined {
  const host = headerOf(request, 'host') ?? headerOf(request, ':authority');
  return URL.parse(`http://${host ?? ''}`)?.hostname;
}

/** The host of the page that sends the request. Without a page, or if the browser hides it, the host of the request. */
function originHostOf(request: HttpRequest): string | undefined {
  const origin = headerOf(request, 'origin');
  return origin === undefined || origin === 'null' ? hostOf(request) : URL.parse(origin)?.hostname;
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}
