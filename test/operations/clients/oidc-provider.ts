import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { OIDC_CLIENT } from './oidc-way.ts';

/** A real OpenID Connect provider on this machine. */
export type TestProvider = {
  readonly issuer: URL;
  /** The people that it knows: the claims by login name. */
  readonly people: Map<string, { readonly email: string; readonly email_verified: boolean }>;
  close(): Promise<void>;
};

/** The settings of a test's provider. */
export type TestProviderOptions = {
  /** The redirect address; read at the first request. */
  readonly redirectUri: URL;
  /** Whether the e-mail is in the ID token, or only in the answer of `userinfo`. */
  readonly emailInIdToken?: boolean;
  /** The host name: for browsers, `localhost` and `127.0.0.1` are two sites. */
  readonly host?: string;
  /** Whether it signs with a different key than it publishes, with the same key id. */
  readonly signsWithAnotherKey?: boolean;
};

/** Starts a provider that signs in every visitor with a name. */
export async function startProvider(options: TestProviderOptions): Promise<TestProvider> {
  const people: TestProvider['people'] = new Map();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  let answer: ReturnType<Provider['callback']> | undefined;
  server.on('request', (request, response) => {
    if (options.signsWithAnotherKey === true && request.url === '/jwks') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [newKey().published] }));
      return;
    }
    answer ??= createProvider(issuer, people, options).callback();
    void answer(request, response);
  });
  return { issuer: new URL(issuer), people, close: () => closed(server) };
}

function createProvider(issuer: string, people: TestProvider['people'], options: TestProviderOptions): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.clientId,
        client_secret: OIDC_CLIENT.clientSecret,
        redirect_uris: [options.redirectUri.href],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { email: ['email', 'email_verified'] },
    conformIdTokenClaims: options.emailInIdToken !== true,
    cookies: { keys: ['a key of a provider that lives for seconds'] },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    jwks: { keys: [newKey().signing] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
  });
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const named = { kid: 'one', use: 'sig', alg: 'RS256' };
  return {
    signing: { ...privateKey.export({ format: 'jwk' }), ...named },
    published: { ...publicKey.export({ format: 'jwk' }), ...named },
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
