import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real OpenID Connect provider on this machine. */
export type TestProvider = {
  readonly issuer: URL;
  /** The people it knows: by login name, what it says of them. */
  readonly people: Map<string, { readonly email: string; readonly email_verified: boolean }>;
  close(): Promise<void>;
};

/** What the service is to the provider. */
export const OIDC_CLIENT = { clientId: 'laurel', clientSecret: 'a secret of two' } as const;

/** Starts one that signs anyone in who says a name; with or without the e-mail in the ID token. */
export async function startProvider(redirectUri: URL, emailInIdToken: boolean): Promise<TestProvider> {
  const people: TestProvider['people'] = new Map();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: OIDC_CLIENT.clientId, client_secret: OIDC_CLIENT.clientSecret },
        ...{ redirect_uris: [redirectUri.href], grant_types: ['authorization_code'], response_types: ['code'] },
      },
    ],
    claims: { email: ['email', 'email_verified'] },
    conformIdTokenClaims: !emailInIdToken,
    cookies: { keys: ['a key of a provider that lives for seconds'] },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return { issuer: new URL(issuer), people, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A browser in few words: it keeps cookies by host and path, and follows one redirect after the other. */
export function browser() {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = ({ host }: URL) => jar.get(host) ?? jar.set(host, new Map()).get(host)!;

  async function visit(url: URL, form?: Record<string, string>): Promise<{ response: Response; url: URL }> {
    const cookies = [...cookiesOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookies },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '') cookiesOf(url).delete(name);
      else cookiesOf(url).set(name, value);
    }
    return { response, url };
  }
  return { visit, cookiesOf };
}
