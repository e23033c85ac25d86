import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';

/** A shop of an integrator: its page has the widgets, its back end has the API key. */
export type Shop = {
  readonly url: string;
  /** The tokens that the page has asked for. */
  readonly tokens: string[];
  close(): Promise<void>;
};

/** The page of a shop, and the token that it gives. */
export type ShopOptions = {
  /** The HTML at its first address. */
  readonly page: string;
  readonly accountId: string;
  readonly permissions?: readonly string[];
};

/** Starts a shop, whose origin the client allows. */
export async function startShop(service: TestService, options: ShopOptions): Promise<Shop> {
  const { page, accountId, permissions = ['READ'] } = options;
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/') return void response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    if (request.url !== '/laurel-token') return void response.writeHead(404).end();
    const wanted = { accountId, permissions, origins: [url] };
    void ok(service.rest('POST', '/v1/account-tokens', wanted)).then((issued) => {
      tokens.push(issued.token);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(issued));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await allowOrigins(service, [url]);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, tokens, close };
}

/** Configures the origins of pages that may use account tokens. */
export async function allowOrigins(service: TestService, origins: readonly string[]): Promise<void> {
  const path = `/admin/clients/${service.clientId}`;
  const answer = await ok(service.rest('GET', path));
  const { version, name, timeZone } = answer.client ?? answer;
  await ok(service.rest('PUT', path, { version, name, timeZone, accountTokens: { origins } }));
}
