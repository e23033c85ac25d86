import type { ConnectError } from '@connectrpc/connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';

/** The header or trailer with an error's message. */
const MESSAGE = 'grpc-message';

/** Writes an error's status, message and details as gRPC carries them, in headers or trailers. */
export function setGrpcStatus(target: Headers, error: ConnectError): Headers {
  return withPlainMessage(setTrailerStatus(target, error));
}

/**
 * Spells the message of an error as gRPC's specification asks for. Connect encodes it as part of a URL, which not every client
 * reads back: grpc-js shows `GET %2Fgamification%2Ftriggers`.
 */
export function withPlainMessage(headers: Headers): Headers {
  const encoded = headers.get(MESSAGE);
  if (encoded !== null) headers.set(MESSAGE, percentEncoded(decodeURIComponent(encoded)));
  return headers;
}

/** The same with the trailers, which are complete when the body has ended. */
export async function* thenPlainMessage(body: AsyncIterable<Uint8Array>, trailer: Headers): AsyncIterable<Uint8Array> {
  yield* body;
  withPlainMessage(trailer);
}

/** Encodes what is not printable ASCII, and the percent sign: gRPC over HTTP/2, `Percent-Encoded` under "Responses". */
function percentEncoded(text: string): string {
  return text.replaceAll(/[^ -$&-~]+/gu, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
