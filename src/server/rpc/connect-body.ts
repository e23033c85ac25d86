import { Code, ConnectError } from '@connectrpc/connect';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { continueIfAsked } from '../http/read-body.ts';

/** The prefix of each message of a stream, in gRPC, gRPC-Web and Connect alike: one byte of flags, and four of length. */
const PREFIX_BYTES = 5;

/**
 * The body for Connect. Connect's buffers count in the budget for bodies: the whole body of a unary call until the answer, the incomplete
 * message of a stream. Connect limits the length of messages.
 * @param fail converts our error to Connect's
 * @throws ConnectError while it is read: unavailable if other requests use up the budget, canceled if the caller has disconnected
 */
export async function* connectBody(
  exchange: Exchange,
  isStream: boolean,
  fail: (error: unknown) => ConnectError,
): AsyncIterable<Uint8Array> {
  continueIfAsked(exchange);
  const { request } = exchange;
  const evicted = Promise.withResolvers<never>();
  evicted.promise.catch(() => {});
  const share = exchange.openBody((error: DomainError) => evicted.reject(error));
  const unfinished = isStream ? messageCounter() : undefined;
  let held = 0;
  // The request stays open after an early end of reading, so that a caller that is still sending receives the answer.
  const chunks = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  const read = async () => {
    try {
      const next = chunks.next();
      return await (exchange.isAuthenticated ? next : Promise.race([next, evicted.promise]));
    } catch (error) {
      throw error instanceof DomainError ? error : new ConnectError('The caller has gone.', Code.Canceled);
    }
  };
  try {
    for (let next = await read(); next.done !== true; next = await read()) {
      const chunk = next.value as Uint8Array;
      const holds = unfinished === undefined ? held + chunk.length : unfinished(chunk);
      if (holds > held) share.hold(holds - held);
      else share.shrink(held - holds);
      held = holds;
      yield chunk;
    }
    share.complete();
  } catch (error) {
    throw fail(error);
  } finally {
    // There is no `await`: the next piece may never come. While the iterator waits, it pauses the request.
    const leave = async () => chunks.return?.();
    void leave()
      .catch(() => {})
      .finally(() => request.resume());
  }
}

/** A function that gets the pieces of a stream, and returns the number of received bytes of the incomplete message. */
function messageCounter(): (chunk: Uint8Array) => number {
  const prefix = new Uint8Array(PREFIX_BYTES);
  let prefixLength = 0;
  let bodyLeft = 0;
  let held = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (prefixLength < PREFIX_BYTES) {
        prefix[prefixLength++] = chunk[at++]!;
        held += 1;
        if (prefixLength === PREFIX_BYTES) bodyLeft = new DataView(prefix.buffer).getUint32(1);
      }
      const taken = prefixLength < PREFIX_BYTES ? 0 : Math.min(bodyLeft, chunk.length - at);
      at += taken;
      bodyLeft -= taken;
      held += taken;
      if (prefixLength === PREFIX_BYTES && bodyLeft === 0) {
        prefixLength = 0;
        held = 0;
      }
    }
    return held;
  };
}
