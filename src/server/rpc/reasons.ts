import { Code, ConnectError } from '@connectrpc/connect';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import { errorFromJsonBytes, errorToJsonBytes } from '@connectrpc/connect/protocol-connect';
import { findTrailerError, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { trailerFlag, trailerParse, trailerSerialize } from '@connectrpc/connect/protocol-grpc-web';
import { ErrorInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import { errorInfo } from './connect-error.ts';
import { type CodedFailure, connectStatusOf, failureOf } from './error-table.ts';
import type { Exchange } from '../http/exchange.ts';
import { MAX_BODY_BYTES } from '../http/read-body.ts';

/**
 * Adds a reason to an error without one, which Connect itself raised for an undecodable or too large request. REST's
 * answer to the same fault has that `code`. Unary answers only: streams report errors at their end.
 */
export async function withErrorReason(
  answer: UniversalServerResponse,
  exchange: Exchange,
): Promise<UniversalServerResponse> {
  if (exchange.protocol === 'connect') return reasonedConnect(answer, exchange);
  const { body, trailer } = answer;
  if (exchange.protocol === 'grpc-web') return { ...answer, body: body && reasonedWebBody(body, exchange) };
  if (trailer === undefined) return answer;
  return { ...answer, body: body && thenReasonedTrailer(body, trailer, exchange) };
}

async function reasonedConnect(answer: UniversalServerResponse, exchange: Exchange): Promise<UniversalServerResponse> {
  const { status, header, body } = answer;
  if (status < 400 || body === undefined || header?.get('content-type') !== 'application/json') return answer;
  const sent = await bytesOf(body);
  const plain = await decompressed(sent, header.get('content-encoding'));
  const error = errorFromJsonBytes(plain, undefined, new ConnectError('', Code.Unknown));
  if (hasReason(error)) return { ...answer, body: inOnePiece(sent) };
  const encoded = errorToJsonBytes(withReason(error, exchange), undefined);
  header.delete('content-encoding');
  header.set('content-length', String(encoded.byteLength));
  return { ...answer, body: inOnePiece(encoded) };
}

/** Adds the reason to the trailers of gRPC, which are complete at the end of the body. */
async function* thenReasonedTrailer(
  body: AsyncIterable<Uint8Array>,
  trailer: Headers,
  exchange: Exchange,
): AsyncIterable<Uint8Array> {
  yield* body;
  const error = findTrailerError(trailer);
  if (error !== undefined && !hasReason(error)) setTrailerStatus(trailer, withReason(error, exchange));
}

/** gRPC-Web has its trailers in the body, as a last message with a special flag. */
async function* reasonedWebBody(body: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    if (chunk[0] !== trailerFlag) {
      yield chunk;
      continue;
    }
    const trailer = trailerParse(chunk.subarray(ENVELOPE_BYTES));
    const error = findTrailerError(trailer);
    if (error === undefined || hasReason(error)) {
      yield chunk;
      continue;
    }
    setTrailerStatus(trailer, withReason(error, exchange));
    const encoded = trailerSerialize(trailer);
    const head = Buffer.alloc(ENVELOPE_BYTES);
    head.writeUInt8(trailerFlag, 0);
    head.writeUInt32BE(encoded.byteLength, 1);
    yield Buffer.concat([head, encoded]);
  }
}

/** The prefix of each message: one byte of flags, four of length. */
const ENVELOPE_BYTES = 5;

function hasReason(error: ConnectError): boolean {
  return error.findDetails(ErrorInfoSchema).length > 0;
}

function withReason({ rawMessage, code, metadata }: ConnectError, exchange: Exchange): ConnectError {
  const { statusCode, code: reason } = statusOf(code, rawMessage);
  exchange.failure = { statusCode, code: reason };
  return new ConnectError(rawMessage, code, metadata, [errorInfo(reason, exchange.traceId)]);
}

/** The status in REST. gRPC uses UNIMPLEMENTED for an unknown compression, and Connect for a unary call without exactly one message. */
function statusOf(code: Code, message: string): CodedFailure {
  if (code !== Code.Unimplemented) return connectStatusOf(code);
  if (/compression/.test(message)) return failureOf('UNSUPPORTED_MEDIA_TYPE');
  return /message/.test(message) ? connectStatusOf(Code.InvalidArgument) : connectStatusOf(code);
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

async function decompressed(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  const compression = [compressionGzip, compressionBrotli].find(({ name }) => name === encoding);
  return compression === undefined ? bytes : compression.decompress(bytes, MAX_BODY_BYTES);
}

async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
