import { isIP } from 'node:net';
import { headerOf, type HttpRequest } from '../http/exchange.ts';

/** What a proxy adds to a request that it passes on. Whatever they say, the request has come from elsewhere. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether somebody at this machine opens a page of the service directly: the connection comes from a loopback address, the
 * host that was asked for is a loopback name (else a site of somebody else's may point its own name at this machine, and
 * would be of the same origin), no proxy has passed it on, and no script of another origin asks.
 */
export function isLoopbackRequest(request: HttpRequest): boolean {
  return (
    isLoopbackAddress(request.socket?.remoteAddress ?? '') &&
    isLoopbackHost(headerOf(request, 'host') ?? headerOf(request, ':authority') ?? '') &&
    OF_PROXIES.every((name) => headerOf(request, name) === undefined) &&
    headerOf(request, 'origin') === undefined
  );
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** With or without a port. Names below `localhost` are left out: not every resolver keeps them on this machine. */
function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);
}
