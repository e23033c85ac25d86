import type http from 'node:http';
import { type Exchange, headerOf } from './exchange.ts';
import { expectsContinue } from './read-body.ts';

/** Bytes of a body that a caller has sent before it can have seen the answer: they are let through, and the connection stays. */
const SMALL_BODY = 65_536;

/** Milliseconds in which what a caller still sends is let through, so that it gets to see the answer. */
const LINGER_MS = 5_000;

/**
 * Whether an HTTP/1.1 request is answered before its body has arrived. If the caller then stopped sending the body and
 * sent its next request, that request would be read as the rest of the body.
 */
export function leavesBodyUnread(exchange: Exchange): boolean {
  const { request } = exchange;
  if (request.httpVersionMajor !== 1 || request.complete) return false;
  // Told that the connection ends already, before it sends anything.
  if (expectsContinue(exchange)) return false;
  if (headerOf(request, 'transfer-encoding') !== undefined) return true;
  return Number(headerOf(request, 'content-length') ?? 0) > SMALL_BODY;
}

/**
 * Writes a whole answer whose headers are set, with `connection: close`, and ends the connection when the body of the
 * request has been discarded, or after five seconds. If it ended at once, the system would drop the answer with the
 * unread bytes.
 */
export function closeOnceRead(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  body: string | Buffer | readonly Buffer[] | undefined,
): void {
  const answered = response as http.ServerResponse;
  if (body === undefined) answered.flushHeaders();
  else for (const piece of typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body) answered.write(piece);
  const end = () => {
    clearTimeout(timer);
    answered.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).resume();
}
