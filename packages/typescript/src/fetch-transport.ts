import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';

/** Answers of streams, which are read as they arrive. */
const STREAM = 'application/connect+';

/** The Connect protocol with JSON over `fetch`: in Node, browsers and edge runtimes. */
export function fetchTransport(baseUrl: string, fetch: typeof globalThis.fetch): Transport {
  return createConnectTransport({ baseUrl, fetch: (input, init) => whole(fetch, input, init) });
}

/**
 * A request with its whole answer. A lost connection is UNAVAILABLE, also in the middle of an answer; otherwise it would look like a mistake of
 * the program.
 */
async function whole(
  fetch: typeof globalThis.fetch,
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
): Promise<Response> {
  try {
    // Edge runtimes do not know `redirect: 'error'`.
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw new ConnectError('The address answers with a redirect: it is not that of Laurel.', Code.Unimplemented);
    }
    if (response.headers.get('content-type')?.startsWith(STREAM)) return response;
    const body = await response.arrayBuffer();
    const { status, headers } = response;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  } catch (error) {
    if (error instanceof ConnectError || init?.signal?.aborted) throw error;
    const why = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
    throw new ConnectError(`There was no answer: ${why}`, Code.Unavailable, undefined, undefined, error);
  }
}
