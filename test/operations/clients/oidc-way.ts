/** The service as a client of the provider. */
export const OIDC_CLIENT = { clientId: 'laurel', clientSecret: 'a secret of two' } as const;

/** The visitor: a person with a login name at the provider, or one who cancels there. */
export type Visitor = {
  readonly login: string | undefined;
  readonly next?: string;
  readonly clientId?: string | undefined;
};

/** Goes to the provider and signs in there; the test continues with the redirect back. */
export async function goThere(baseUrl: string, redirectUri: URL, { login, next = '', clientId }: Visitor) {
  const { visit, cookiesOf } = browser();
  const begin = new URL('/admin/session/oidc/start', baseUrl);
  if (next !== '') begin.searchParams.set('next', next);
  if (clientId !== undefined) begin.searchParams.set('clientId', clientId);
  let { response, url } = await visit(begin);
  const ticket = cookiesOf(begin).get('laurel_oidc') ?? '';
  for (let step = 0; step < 12; step += 1) {
    const location = response.headers.get('location') ?? (await wayOff(response, login));
    const to = location === undefined ? undefined : new URL(location, url);
    if (to?.href.startsWith(redirectUri.href)) {
      return { callback: new URL(to.pathname + to.search, baseUrl), ticket, visit, cookiesOf };
    }
    if (to === undefined) ({ response, url } = await visit(url, formOf(await response.text(), login ?? '')));
    else ({ response, url } = await visit(to));
  }
  throw new Error(`The way did not end: ${url}`);
}

/** The address to which a cancellation on the provider's first page leads. */
async function wayOff(response: Response, login: string | undefined): Promise<string | undefined> {
  if (login !== undefined) return undefined;
  return /href="([^"]*\/abort)"/.exec(await response.text())?.[1];
}

/** The question of the provider's page: the name, or the consent. */
function formOf(page: string, login: string): Record<string, string> {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
  return { prompt, ...(prompt === 'login' && { login, password: 'any' }) };
}

/** A minimal browser: it keeps cookies by host, and does not follow redirects. */
function browser() {
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
