import { atEndOfTurn } from './streams/end-of-turn.ts';
import type { RestError } from '../rpc/error-table.ts';
import { type Exchange, isGone } from './exchange.ts';
import { closeOnceRead, leavesBodyUnread } from './unread-body.ts';

/** Headers of an answer. Only `set-cookie` may occur several times. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Writes a whole answer at once. It leaves a response that has begun, or whose caller has disconnected. */
export function answer(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders,
  body: string | Buffer | readonly Buffer[] | undefined,
): void {
  const { request, response } = exchange;
  if (response.headersSent || isGone(response)) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // With its length known, an answer is sent in one piece instead of chunks. 204 and 304 may not have one.
  if (status !== 204 && status !== 304 && headers['content-length'] === undefined)
    response.setHeader('content-length', lengthOf(body));
  const bare = body === undefined || request.method === 'HEAD';
  const isUnread = leavesBodyUnread(exchange);
  if (isUnread) response.setHeader('connection', 'close');
  atEndOfTurn(() => {
    if (isUnread) closeOnceRead(exchange, bare ? undefined : body);
    else if (bare) response.end();
    else if (isPieces(body)) writePieces(response, body);
    else response.end(body);
  });
}

function writePieces(response: { write(piece: Buffer): unknown; end(): unknown }, pieces: readonly Buffer[]): void {
  for (const piece of pieces) response.write(piece);
  response.end();
}

function isPieces(body: string | Buffer | readonly Buffer[]): body is readonly Buffer[] {
  return Array.isArray(body);
}

function lengthOf(body: string | Buffer | readonly Buffer[] = ''): number {
  return isPieces(body) ? body.reduce((sum, piece) => sum + piece.length, 0) : Buffer.byteLength(body);
}

/** Answers with JSON. */
export function answerJson(
  exchange: Exchange,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  answer(exchange, status, { ...headers, 'content-type': 'application/json' }, JSON.stringify(value));
}

/** Writes the documented error body and notes the failure for the log. */
export function answerError(exchange: Exchange, error: RestError): void {
  const { statusCode, code, message, details, headers } = error;
  exchange.failure = { statusCode, code, message, details };
  answerJson(exchange, statusCode, { statusCode, message, code, traceId: exchange.traceId, details }, headers);
}
