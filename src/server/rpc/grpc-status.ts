import type { ConnectError } from '@connectrpc/connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';

/** The header or trailer with an error's message. */
const MESSAGE = 'grpc-message';

/** Writes an error's status, message and details as gRPC carries them, in headers or trailers. */
export function setGrpcStatus(target: Headers, error: ConnectError): Headers {
  return withPlainMessage(setTrailerStatus(target, error));
}

/**
 * Encodes the message of an error by gRPC's specification. Connect encodes it as part of a URL, which not every client decodes: grpc-js
 * shows `GET %2Fgamification%2Ftriggers`.
 */
export function withPlainMessage(headers: Headers): Headers {
  const encoded = headers.get(MESSAGE);
  if (encoded !== null) headers.set(MESSAGE, percentEncoded(decodeURIComponent(encoded)));
  return headers;
}

/** The same for the trailers, which are complete at the end of the body. */
export async function* thenPlainMessage(body: AsyncIterable<Uint8Array>, trailer: Headers): AsyncIterable<Uint8Array> {
  yield* body;
  withPlainMessage(trailer);
}

/** Encodes characters other than printable ASCII, and the percent sign: gRPC over HTTP/2, `Percent-Encoded` under "Responses". */
function percentEncoded(text: string): string {
  return text.replaceAll(/[^ -$&-~]+/gu, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
