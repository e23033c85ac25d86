import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Message } from '@bufbuild/protobuf';
import type { Exchange } from '../server/http/exchange.ts';

/** The messages of a stream: the first one, if there is any, and the others. */
export type Streamed<M extends Message> = { readonly first: M | undefined; readonly others: AsyncIterator<M> };

/** Answers 200 and writes messages as they come, with the headers that are set. HEAD gets none of them. */
export async function writeMessages<M extends Message>(
  { response, requestMethod, signal }: Exchange,
  { first, others }: Streamed<M>,
  bytesOf: (message: M) => string | Uint8Array,
): Promise<void> {
  response.statusCode = 200;
  const sink: Writable = response;
  try {
    for (let message = requestMethod === 'HEAD' ? undefined : first; message !== undefined;) {
      if (!sink.write(bytesOf(message))) await once(sink, 'drain', { signal });
      const next = await others.next();
      message = next.done ? undefined : next.value;
    }
    sink.end();
  } catch (error) {
    // The status was sent already, so a broken connection shows the caller that the answer is incomplete.
    response.destroy();
    if (!signal.aborted) throw error;
  } finally {
    await others.return?.();
  }
}
