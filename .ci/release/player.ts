/** The content of `demo.json`. */
export type Demo = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly accessToken: string;
  readonly clientId: string;
};

/** The calls to the demo. */
export type Player = Demo & {
  /** Makes a call that must succeed. */
  readonly call: (path: string, body?: object, method?: string) => Promise<Answer>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as their readers would.
type Answer = { readonly status: number; readonly body: any };

/** Calls with the API key, or below `/admin` and `/webhooks` with the access token. */
export function createPlayer(demo: Demo): Player {
  return {
    ...demo,
    async call(path, body, method = body ? 'POST' : 'GET') {
      const isAdmin = /^\/(admin|webhooks)\/|\/publish$/.test(path);
      const response = await fetch(demo.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${isAdmin ? demo.accessToken : demo.apiKey}`,
          'content-type': 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
  };
}
