import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { badRequest } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';
import { type Exchange, headerOf } from '../exchange.ts';
import { unsupportedMediaType } from '../protocol-error.ts';
import { streamBody } from '../read-body.ts';

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The decompressed body as a stream with backpressure; reading begins with the first request of the reader. The operation limits its
 * length.
 * @throws ProtocolError 415 for an unknown `Content-Encoding`, at once; DomainError invalid, while it is read, if it cannot be decompressed
 * or the caller disconnects
 */
export function decompressedBody(exchange: Exchange): AsyncIterable<Uint8Array> {
  const encoding = (headerOf(exchange.request, 'content-encoding') ?? 'identity').toLowerCase();
  if (encoding === 'identity') return read(() => streamBody(exchange), encoding);
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (decompressor === undefined) {
    throw unsupportedMediaType(`Content-Encoding ${encoding} is not read here. Send gzip, deflate, br, or none.`);
  }
  // Errors of either side are thrown to the reader of the pipe.
  return read(() => pipeline(streamBody(exchange), decompressor(), () => {}), encoding);
}

async function* read(open: () => AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The codes of zlib for malformed data: `Z_DATA_ERROR`, `ERR__ERROR_FORMAT_PADDING_1` of Brotli.
    const isBroken = code?.startsWith('Z_') === true || code?.startsWith('ERR__ERROR') === true;
    if (isBroken) throw badRequest(sentence`The body is not valid ${encoding}, which its Content-Encoding promises.`);
    throw badRequest('The request ended before its body was complete. What was stored stays.');
  }
}
