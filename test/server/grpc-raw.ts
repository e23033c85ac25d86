// Calls that no client would make.
import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { ResolveAccountRequestSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import { BEARER, PATH } from './grpc-clients.ts';

/** Opens a call of `ResolveAccount`; its body is not written yet. */
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

/** The answer to a call: its headers and trailers together, its body, and the status in them. */
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

/** A request of this number of bytes, from 16 KiB to 2 MiB: the excess is a field that no version of the service has. */
export function request(externalId: string, size?: number): Uint8Array {
  const message = create(ResolveAccountRequestSchema, { externalId });
  if (size !== undefined) {
    // A tag of two bytes and a length of three precede it.
    const filling = size - toBinary(ResolveAccountRequestSchema, message).length - 5;
    const length = [(filling & 127) | 128, ((filling >> 7) & 127) | 128, filling >> 14];
    message.$unknown = [{ no: 1000, wireType: 2, data: Buffer.concat([Buffer.from(length), Buffer.alloc(filling)]) }];
  }
  return toBinary(ResolveAccountRequestSchema, message);
}
