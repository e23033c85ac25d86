/** The used fields of most answers. */
export type Created = {
  readonly id: string;
  readonly missions: readonly { readonly id: string }[];
};

/** Makes one REST call and returns its parsed answer in the caller's type. */
export type RestCall = <Answer = Created>(method: string, path: string, body?: unknown) => Promise<Answer>;

/**
 * The calls with one credential.
 * @throws Error with the service's message for an answer without success
 */
export function restCalls(baseUrl: string, token: string): RestCall {
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Answer;
  };
}
