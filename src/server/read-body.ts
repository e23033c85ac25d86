import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { badRequest, DomainError } from '../kernel/domain-error.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { unsupportedMediaType } from './protocol-error.ts';

/** Bytes of a request body, also after decompression: 10,000 ids fit twice, and a small bomb stays small. */
export const MAX_BODY_BYTES = 1_048_576;

const decompressors = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * The whole request body, decompressed.
 * @throws DomainError tooLarge above {@link MAX_BODY_BYTES}, without reading on; invalid if it cannot be decompressed or the
 * caller breaks off; ProtocolError 415 for an unknown `Content-Encoding`
 */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const encoding = (headerOf(exchange.request, 'content-encoding') ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && !isKnown(encoding)) {
    throw unsupportedMediaType(`Content-Encoding ${encoding} is not read here. Send gzip, deflate, br, or none.`);
  }
  const sent = await readWhole(exchange, MAX_BODY_BYTES);
  return isKnown(encoding) ? decompress(sent, encoding) : sent;
}

/**
 * The whole request body as it was sent.
 * @throws DomainError tooLarge above `bytesMax`, without reading on; invalid if the caller breaks off
 */
export async function readWhole(exchange: Exchange, bytesMax: number): Promise<Buffer> {
  if (Number(headerOf(exchange.request, 'content-length')) > bytesMax) throw tooLarge();
  continueIfAsked(exchange);
  return collect(exchange, bytesMax);
}

/** The body as it arrives, for the protocols that read it themselves. */
export async function* streamBody(exchange: Exchange): AsyncIterable<Uint8Array> {
  continueIfAsked(exchange);
  const { request } = exchange;
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    // Whoever stops reading early answers early: the rest is let through, or the next request on the connection would wait.
    request.resume();
  }
}

/** Whether the caller waits for a word before it sends its body (`Expect: 100-continue`). */
export function expectsContinue(exchange: Exchange): boolean {
  return headerOf(exchange.request, 'expect')?.toLowerCase() === '100-continue';
}

function continueIfAsked(exchange: Exchange): void {
  if (expectsContinue(exchange)) exchange.response.writeContinue();
}

function collect({ request }: Exchange, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let ended = false;
    request.on('data', function onData(chunk: Buffer) {
      length += chunk.length;
      if (length <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      // The rest is let through unread, so that the caller, who is still sending, gets to see the answer.
      request.resume();
      reject(tooLarge());
    });
    request.once('end', () => {
      ended = true;
      resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks));
    });
    // Every request closes in the end; an error made for nothing would cost a stack trace each time.
    const onBroken = () => {
      if (!ended) reject(badRequest('The request ended before its body was complete. Send it again.'));
    };
    request.once('error', onBroken);
    request.once('close', onBroken);
  });
}

async function decompress(sent: Buffer, encoding: keyof typeof decompressors): Promise<Buffer> {
  try {
    return await decompressors[encoding](sent, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw badRequest(`The body is not valid ${encoding}, which its Content-Encoding promises.`);
  }
}

function isKnown(encoding: string): encoding is keyof typeof decompressors {
  return Object.hasOwn(decompressors, encoding);
}

function tooLarge(): DomainError {
  return new DomainError(
    'tooLarge',
    'PAYLOAD_TOO_LARGE',
    `A body may have at most ${MAX_BODY_BYTES} bytes. Send fewer items per call.`,
  );
}
