import { isIP } from 'node:net';
import { headerOf, type HttpRequest } from '../http/exchange.ts';

/** Headers that proxies add: with any of them, the request came from elsewhere. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a browser on this machine opens a page directly. The connection must come from a loopback address, without a
 * proxy, and not from a script of another origin. The requested host must be a loopback name: otherwise a foreign site
 * could point its own name at this machine and share the origin.
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
