import type http from 'node:http';
import { type Exchange, headerOf } from './exchange.ts';
import { expectsContinue } from './read-body.ts';

/**
 * The size of a small body in bytes, which a caller has sent before it can have seen the answer: it is discarded, and the connection stays.
 */
const SMALL_BODY = 65_536;

/** Milliseconds in which further bytes of a caller are discarded, so that it receives the answer. */
const LINGER_MS = 5_000;

/**
 * Whether an HTTP/1.1 request is answered before its body has arrived. If the caller then stopped sending the body and
 * sent its next request, that request would be read as the rest of the body.
 */
export function leavesBodyUnread(exchange: Exchange): boolean {
  const { request } = exchange;
  if (request.httpVersionMajor !== 1 || request.complete) return false;
  // The caller learns about the end of the connection before it sends its body.
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
