import { type Changed, Live } from './live.ts';
import { errorOf, Unreachable } from './refused.ts';
import { type TokenSource, Tokens } from './tokens.ts';

/** The settings of a connection. */
export type ConnectionSettings = {
  /** Asked for a token at the beginning, before a token ends, and after one was refused. */
  readonly token: TokenSource;
  /** The address of Laurel. */
  readonly url: string;
};

/** Something that shows the account: it learns about changes, and whether the service answers. */
export type Watcher = { changed(kind: Changed): void; reached(isOnline: boolean): void };

/** The way from a page to the service, for one account. All widgets of a page share it, and one stream. */
export class Connection {
  readonly #url: string;
  readonly #tokens: Tokens;
  readonly #live = new Live((headers, signal) => this.#call('/v1/accounts/me/stream', { headers, signal }));
  readonly #watchers = new Set<Watcher>();
  readonly #reads = new Map<string, Promise<unknown>>();
  #isOnline = true;

  constructor({ token, url }: ConnectionSettings) {
    this.#url = url.replace(/\/+$/, '');
    this.#tokens = new Tokens(token);
    addEventListener('offline', () => this.#reached(false));
  }

  /** Whether the last call reached the service. */
  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Whether a call is in vain: the last one did not arrive, and the browser knows of no network. Each alone may be wrong. */
  get isCut(): boolean {
    return !this.#isOnline && !navigator.onLine;
  }

  /** Whether the present token permits a kind of operations. The service decides about one that cannot be read. */
  may(permission: string): boolean {
    return this.#tokens.permissions?.includes(permission) ?? true;
  }

  /**
   * Reads an answer of the service; calls for the same path at the same time are one.
   * @throws Refused, Unreachable
   */
  read<Answer>(path: string): Promise<Answer> {
    const present = this.#reads.get(path);
    if (present !== undefined) return present as Promise<Answer>;
    const reading = this.#call(path, {})
      .then((response) => response.json() as Promise<Answer>)
      .finally(() => this.#reads.delete(path));
    this.#reads.set(path, reading);
    return reading;
  }

  /** Calls an operation that changes something. @throws Refused, Unreachable */
  async write<Answer>(path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const response = await this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  }

  /** @returns the end of watching */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    const leave = this.#live.listen((kind) => watcher.changed(kind));
    return () => {
      this.#watchers.delete(watcher);
      leave();
    };
  }

  /** Calls with the present token, and once more with the next one if it was refused. */
  async #call(path: string, init: RequestInit): Promise<Response> {
    try {
      const token = await this.#tokens.get();
      let response = await this.#send(path, init, token);
      if (response.status === 401) {
        const next = await this.#tokens.after(token);
        if (next !== token) response = await this.#send(path, init, next);
      }
      if (!response.ok) throw await errorOf(response);
      this.#reached(true);
      return response;
    } catch (error) {
      if (init.signal?.aborted !== true) this.#reached(!(error instanceof Unreachable));
      throw error;
    }
  }

  async #send(path: string, init: RequestInit, token: string): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
    try {
      return await fetch(this.#url + path, { ...init, headers, cache: 'no-store', credentials: 'omit' });
    } catch (error) {
      throw new Unreachable('The service does not answer.', { cause: error });
    }
  }

  #reached(isOnline: boolean): void {
    if (this.#isOnline === isOnline) return;
    this.#isOnline = isOnline;
    for (const watcher of this.#watchers) watcher.reached(isOnline);
  }
}
