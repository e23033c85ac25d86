import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Code, ConnectError } from '@connectrpc/connect';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { type Exchange, headerOf, type HttpRequest } from '../http/exchange.ts';
import { decompressed, ENCODINGS, isSupportedEncoding, readWhole } from '../http/read-body.ts';
import { errorInfo } from './connect-error.ts';
import { failureOf } from './error-table.ts';

/** The prefix of each message: one byte for compression, and four for the length. */
const PREFIX_BYTES = 5;

/** The first byte of a compressed message; it is 0 without compression. */
const COMPRESSED = 1;

/** The minimum of bytes of an answer for which compression is worth the time. */
const GZIP_FROM_BYTES = 1_024;

/** The fastest: level 6 takes half as long again for a twentieth less. */
const GZIP_LEVEL = 1;

const gzipped = promisify(gzip);

/**
 * The one message of a unary call.
 * @throws DomainError `BAD_REQUEST` unless it is complete and matches its header; `NOT_IMPLEMENTED` for none or several;
 * `UNSUPPORTED_MEDIA_TYPE` for an unknown compression; as {@link readWhole} does
 * @throws UnnamedCompression for a compressed message whose headers do not say how
 */
export async function readMessage(exchange: Exchange): Promise<Uint8Array> {
  const encoding = encodingOf(exchange.request);
  if (encoding !== 'identity' && !isSupportedEncoding(encoding)) {
    exchange.response.setHeader('grpc-accept-encoding', ENCODINGS.join(','));
    const message = `\`grpc-encoding\` ${encoding} is not read here. Send ${ENCODINGS.join(', ')}, or none.`;
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  const body = await readWhole(exchange, PREFIX_BYTES);
  if (body.length === 0) throw notOneMessage('None was sent.');
  const end = body.length < PREFIX_BYTES ? PREFIX_BYTES : PREFIX_BYTES + body.readUInt32BE(1);
  if (body.length < end) throw badRequest('The message is shorter than the length before it says.');
  if (body.length > end) throw notOneMessage('More was sent.');
  const message = body.subarray(PREFIX_BYTES);
  if (body[0] === 0) return message;
  if (body[0] !== COMPRESSED || encoding === 'identity') throw new UnnamedCompression(exchange);
  return decompressed(exchange, message, { encoding, named: 'grpc-encoding' });
}

/**
 * The gzipped message, if it is long enough and the caller reads gzip and compresses its own messages; otherwise undefined:
 * docs/decisions/0061.
 */
export async function gzippedFor({ request }: Exchange, message: Uint8Array): Promise<Uint8Array | undefined> {
  return message.length < GZIP_FROM_BYTES || !wantsGzip(request) ? undefined : gzipped(message, { level: GZIP_LEVEL });
}

/** A message with its prefix. */
export function framed(message: Uint8Array, isCompressed: boolean): Buffer {
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  bytes.writeUInt8(isCompressed ? COMPRESSED : 0, 0);
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, PREFIX_BYTES);
  return bytes;
}

function encodingOf(request: HttpRequest): string {
  return headerOf(request, 'grpc-encoding') ?? 'identity';
}

function wantsGzip(request: HttpRequest): boolean {
  const encoding = encodingOf(request);
  if (encoding === 'identity') return false;
  const accepted = headerOf(request, 'grpc-accept-encoding') ?? encoding;
  return accepted.split(',').some((name) => name.trim() === 'gzip');
}

function notOneMessage(what: string): DomainError {
  return new DomainError('NOT_IMPLEMENTED', `A unary call has one message. ${what}`);
}

/** gRPC's specification asks for INTERNAL. It is the caller's fault nevertheless, in the log and in the metrics. */
export class UnnamedCompression extends ConnectError {
  constructor(exchange: Exchange) {
    const details = [errorInfo('BAD_REQUEST', exchange.traceId)];
    super('The message is compressed, and `grpc-encoding` does not say how.', Code.Internal, undefined, details);
    exchange.failure = failureOf('BAD_REQUEST');
  }
}
