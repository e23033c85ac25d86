// Calls as no client would make them.
import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { ResolveAccountRequestSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import { BEARER, PATH } from './grpc-clients.ts';

/** Opens a call of `ResolveAccount`, whose body is still to be written. */
export function openCall(session: ClientHttp2Session, headers: Record<string, string>): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...BEARER,
    ...headers,
  });
  stream.on('error', () => {});
  return stream;
}

/** What a call is answered: its headers and trailers together, its body, and the status in them. */
export async function answerOf(stream: ClientHttp2Stream) {
  let heads: Record<string, unknown> = {};
  stream.on('response', (head) => (heads = { ...heads, ...head }));
  stream.on('trailers', (trailers) => (heads = { ...heads, ...trailers }));
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  const message = decodeURIComponent((heads['grpc-message'] as string | undefined) ?? '');
  return { heads, message, body: Buffer.concat(chunks), status: Number(heads['grpc-status']) };
}

/** A request of so many bytes, from 16 KiB to 2 MiB: what is too much is a field that no version of the service has. */
export function request(externalId: string, size?: number): Uint8Array {
  const message = create(ResolveAccountRequestSchema, { externalId });
  if (size !== undefined) {
    // A tag of two bytes and a length of three stand before it.
    const filling = size - toBinary(ResolveAccountRequestSchema, message).length - 5;
    const length = [(filling & 127) | 128, ((filling >> 7) & 127) | 128, filling >> 14];
    message.$unknown = [{ no: 1000, wireType: 2, data: Buffer.concat([Buffer.from(length), Buffer.alloc(filling)]) }];
  }
  return toBinary(ResolveAccountRequestSchema, message);
}
