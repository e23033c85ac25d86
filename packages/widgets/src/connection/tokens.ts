import { Unreachable } from './refused.ts';

/** A page's way to an account token: the answer of `POST /v1/account-tokens`, or its `token` alone. */
export type TokenSource = () => Answered | Promise<Answered>;

type Answered = string | { readonly token: string };

/** The part of a token's life in which the next one is asked for, and its bound in milliseconds. */
const LAST_PART = 0.1;
const LAST_MS = 60_000;

/** The present token of a page. All calls share it, and wait together for the next one. */
export class Tokens {
  readonly #source: TokenSource;
  #present: Promise<string> | undefined;
  /** Measured by the time since the page began, because the clock of a visitor may be wrong. */
  #renewAt = 0;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** The permissions of the present token; undefined if it is not known. */
  permissions: readonly string[] | undefined;

  /** The present token, or a new one if its life is nearly over. @throws Unreachable if the page gives none */
  async get(): Promise<string> {
    if (this.#present === undefined || performance.now() >= this.#renewAt) this.#present = this.#ask();
    const asked = this.#present;
    try {
      return await asked;
    } catch (error) {
      // The next call asks again.
      if (this.#present === asked) this.#present = undefined;
      throw error;
    }
  }

  /** The token after one that was refused: another call may have renewed it already. */
  async after(refused: string): Promise<string> {
    const present = await this.get();
    if (present !== refused) return present;
    this.#present = undefined;
    return this.get();
  }

  async #ask(): Promise<string> {
    this.#renewAt = Number.POSITIVE_INFINITY;
    const answered = await Promise.resolve()
      .then(this.#source)
      .catch((error: unknown) => {
        throw new Unreachable('The page has no token.', { cause: error });
      });
    const token = typeof answered === 'string' ? answered.trim() : answered.token;
    const { exp = Number.POSITIVE_INFINITY, iat = 0, permissions } = payloadOf(token);
    const life = (exp - iat) * 1_000;
    this.#renewAt = performance.now() + life - Math.min(life * LAST_PART, LAST_MS);
    this.permissions = permissions;
    return token;
  }
}

type Payload = { readonly exp?: number; readonly iat?: number; readonly permissions?: readonly string[] };

/** The payload of a token; nothing if it is none, which the service refuses. */
function payloadOf(token: string): Payload {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as Payload;
  } catch {
    return {};
  }
}
