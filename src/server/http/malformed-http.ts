import { STATUS_CODES } from 'node:http';
import type net from 'node:net';
import type { Logger } from 'pino';
import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import { failureOf, type RestError, restErrorOf } from '../rpc/error-table.ts';
import { MAX_HEADER_BYTES } from './one-port.ts';
import { headersTooLarge } from './protocol-error.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { traceContextOf } from './trace-context.ts';

type Refusal = Pick<RestError, 'statusCode' | 'code' | 'message'>;

/** Messages by the error code of Node's parser; any other error is a plain 400. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: restErrorOf(headersTooLarge(MAX_HEADER_BYTES)),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusalOf('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusalOf('REQUEST_TIMEOUT', 'The request was not complete in time. Send it again.'),
};

/** The error of the parser, with the fields that Node adds. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const NUL = refusalOf('BAD_REQUEST', 'A header line has a NUL character in it. Send it without.');

const MALFORMED = refusalOf('BAD_REQUEST', 'This is not well-formed HTTP/1.1.');

/** Answers malformed HTTP in the documented form, and closes the connection. */
export function answerMalformedHttp(error: ParseError, socket: net.Socket, logger: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = REFUSALS[error.code ?? ''] ?? (isCausedByNul(error) ? NUL : MALFORMED);
  const { traceId } = traceContextOf(undefined);
  logger.info({ status: refusal.statusCode, reason: error.code, traceId }, 'broken HTTP');
  const { statusCode, code, message } = refusal;
  const body = JSON.stringify({ statusCode, code, message, traceId });
  const head = [
    `HTTP/1.1 ${refusal.statusCode} ${STATUS_CODES[refusal.statusCode]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function isCausedByNul({ code, rawPacket, bytesParsed }: ParseError): boolean {
  return code === 'HPE_INVALID_HEADER_TOKEN' && rawPacket?.[bytesParsed ?? -1] === 0;
}

function refusalOf(code: ErrorCodeName, message: string): Refusal {
  return { ...failureOf(code), message };
}
