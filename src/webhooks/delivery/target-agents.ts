import { lookup, type LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { isSpecialAddress } from './target-address.ts';

/** Opens the connections of webhooks. Each request has a new one: a kept connection would outlive the check of its address. */
export type TargetAgents = { readonly http: http.Agent; readonly https: https.Agent };

/** Finds every address of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** The address of the host, or the one in the URL, is refused. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'FORBIDDEN_ADDRESS';

  constructor() {
    super('The endpoint leads to a loopback, private, link-local or metadata address.');
  }
}

/**
 * Agents that check the address of the connection itself, so that a name cannot resolve to one address for the check and to another for the
 * connection.
 * @param allowPrivate for tests and for receivers in the same network
 * @param resolve the system's look-up by default, which also knows the names of neighbouring containers
 */
export function createTargetAgents(allowPrivate: boolean, resolve: Resolve = systemResolve): TargetAgents {
  const options = { keepAlive: false, lookup: sharedLookup(allowPrivate, resolve) };
  if (allowPrivate) return { http: new http.Agent(options), https: new https.Agent(options) };
  return { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) };
}

/**
 * One look-up at a time for each name. The system's blocks one of Node's four worker threads until it gives up: without
 * sharing, one dead name with many webhooks would stop every file access and look-up of the process.
 */
function sharedLookup(allowPrivate: boolean, resolve: Resolve): LookupFunction {
  const running = new Map<string, Promise<LookupAddress[]>>();

  function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const known = running.get(hostname);
    if (known !== undefined) return known;
    const started = resolve(hostname).finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  }

  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || (!allowPrivate && addresses.some(({ address }) => isSpecialAddress(address)))) {
          callback(new ForbiddenAddress(), '', 0);
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

function systemResolve(hostname: string): Promise<LookupAddress[]> {
  return new Promise((done, fail) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
}
