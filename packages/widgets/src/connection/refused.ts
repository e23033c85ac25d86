/** The service refuses a call: a repeat would be refused, too. */
export class Refused extends Error {
  readonly status: number;
  /** The code of the error, such as `FORBIDDEN`. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** No answer came, or one that a later call may not get: the network, a restart, a limit, or a page that has no token. */
export class Unreachable extends Error {}

/** The error of an answer without success. */
export async function errorOf(response: Response): Promise<Refused | Unreachable> {
  const { status } = response;
  if (status >= 500 || status === 429 || status === 408) return new Unreachable(`The service answered ${status}.`);
  const body = (await response.json().catch(() => ({}))) as { readonly code?: string; readonly message?: string };
  return new Refused(status, body.code ?? String(status), body.message ?? 'The service refuses the call.');
}
