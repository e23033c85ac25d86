import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { unsupportedMediaType } from './protocol-error.ts';

/** The maximum of bytes of a request body, also after decompression: 10,000 ids fit twice, and a decompression bomb stays small. */
export const MAX_BODY_BYTES = 1_048_576;

/** The same for a request without a credential: an e-mail address, a password and a client's id fit several times. */
export const PUBLIC_BODY_BYTES = 8_192;

const decompressors = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** A supported compression of a body. */
export type Encoding = keyof typeof decompressors;

/** All supported compressions. */
export const ENCODINGS = Object.keys(decompressors) as readonly Encoding[];

/**
 * The whole request body, decompressed. Its bytes count in the budget for bodies until the request is answered.
 * @throws DomainError tooLarge above {@link MAX_BODY_BYTES}, or {@link PUBLIC_BODY_BYTES} if the caller is not authenticated, without
 * reading the rest; unavailable `BUSY` if other requests use up the budget; invalid if it cannot be decompressed or the caller disconnects;
 * ProtocolError 415 for an unknown `Content-Encoding`
 */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const encoding = (headerOf(exchange.request, 'content-encoding') ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && !isSupportedEncoding(encoding)) {
    throw unsupportedMediaType(`Content-Encoding ${encoding} is not read here. Send gzip, deflate, br, or none.`);
  }
  const sent = await readWhole(exchange);
  return isSupportedEncoding(encoding) ? decompressed(exchange, sent, { encoding, named: 'Content-Encoding' }) : sent;
}

/**
 * The compressed body, whose bytes also count in the budget.
 * @param how.named the header that names the encoding
 * @throws DomainError as {@link readBody}
 */
export async function decompressed(
  exchange: Exchange,
  sent: Uint8Array,
  { encoding, named }: { readonly encoding: Encoding; readonly named: string },
): Promise<Buffer> {
  const body = await decompress(sent, { encoding, named, bytesMax: bytesMaxOf(exchange) });
  exchange.body?.hold(body.length);
  return body;
}

/**
 * The whole request body as it was sent.
 * @param frame bytes that the protocol adds to a body
 * @throws DomainError as {@link readBody}
 */
export async function readWhole(exchange: Exchange, frame = 0): Promise<Buffer> {
  const bytesMax = bytesMaxOf(exchange);
  if (Number(headerOf(exchange.request, 'content-length')) > bytesMax + frame) throw tooLarge(bytesMax);
  continueIfAsked(exchange);
  return collect(exchange, bytesMax, frame);
}

/** The body as a stream; only one piece is held at a time. */
export async function* streamBody(exchange: Exchange): AsyncIterable<Uint8Array> {
  continueIfAsked(exchange);
  const { request } = exchange;
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    // After an early answer the rest of the body is discarded, or the next request on the connection would wait.
    request.resume();
  }
}

function bytesMaxOf(exchange: Exchange): number {
  return exchange.isAuthenticated ? MAX_BODY_BYTES : PUBLIC_BODY_BYTES;
}

/** Whether the caller waits for a 100 before it sends its body (`Expect: 100-continue`). */
export function expectsContinue(exchange: Exchange): boolean {
  return headerOf(exchange.request, 'expect')?.toLowerCase() === '100-continue';
}

/** Sends the 100, if the caller waits for it. */
export function continueIfAsked(exchange: Exchange): void {
  if (expectsContinue(exchange)) exchange.response.writeContinue();
}

function collect(exchange: Exchange, bytesMax: number, frame: number): Promise<Buffer> {
  const { request } = exchange;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let ended = false;
    const refuse = (error: DomainError) => {
      request.off('data', onData);
      // The rest is discarded, so that a caller that is still sending receives the answer.
      request.resume();
      chunks.length = 0;
      reject(error);
    };
    const share = exchange.openBody(refuse);
    function onData(chunk: Buffer) {
      length += chunk.length;
      if (length > bytesMax + frame) {
        refuse(tooLarge(bytesMax));
        return;
      }
      try {
        share.hold(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error as DomainError);
      }
    }
    // `on`, because `once` creates two more objects for each listener, and a second call is harmless.
    request.on('data', onData);
    request.on('end', () => {
      ended = true;
      share.complete();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // Every request closes in the end; an error made for nothing would cost a stack trace each time.
    const onBroken = () => {
      if (!ended) reject(badRequest('The request ended before its body was complete. Send it again.'));
    };
    request.on('error', onBroken);
    request.on('close', onBroken);
  });
}

async function decompress(
  sent: Uint8Array,
  { encoding, named, bytesMax }: { readonly encoding: Encoding; readonly named: string; readonly bytesMax: number },
): Promise<Buffer> {
  try {
    return await decompressors[encoding](sent, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(bytesMax);
    throw badRequest(sentence`The body is not valid ${encoding}, which its ${named} promises.`);
  }
}

/** Whether the compression is supported. */
export function isSupportedEncoding(encoding: string): encoding is Encoding {
  return Object.hasOwn(decompressors, encoding);
}

function tooLarge(bytesMax: number): DomainError {
  const message = sentence`A body may have at most ${bytesMax} bytes${bytesMax === MAX_BODY_BYTES ? '' : sentence` here`}. Send fewer items per call.`;
  return new DomainError('PAYLOAD_TOO_LARGE', message);
}
