import { randomNumbers } from '../bounds.ts';

/** Frame types of RFC 9113. */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Flags; the same bit means ACK in SETTINGS and PING. */
export const FLAG = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;

/** The beginning of a connection: the preface, and settings without changes. */
export const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.SETTINGS, 0, 0)]);

/** One frame. `length` may claim a different length than the payload has. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

/**
 * The beginning of a connection whose windows are as large as possible, on the connection and by setting 4 on each stream: the other side
 * sends without waiting for a reader.
 */
export function widePreface(): Buffer {
  const window = Buffer.from([0x7f, 0xff, 0x00, 0x00]);
  const settings = frame(FRAME.SETTINGS, 0, 0, Buffer.concat([Buffer.from([0, 4]), window]));
  return Buffer.concat([PREFACE, settings, frame(FRAME.WINDOW_UPDATE, 0, 0, window)]);
}

/** A header block in HPACK's simplest form: literals that are not indexed. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.from([0]), hpackText(name), hpackText(value)]),
  );
}

/** The headers of a request on a new stream; with `end`, it has no body. */
export function request(stream: number, headers: Readonly<Record<string, string>>, end = true): Buffer {
  return frame(FRAME.HEADERS, FLAG.END_HEADERS | (end ? FLAG.END_STREAM : 0), stream, headerBlock(headers));
}

/** A message as gRPC frames it. `flag` and `length` may be false. */
export function grpcMessage(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, message]);
}

/** Bytes after random changes: some replaced, removed, doubled or cut off. */
export function damaged(bytes: Uint8Array, random: () => number): Buffer {
  const oneOf = (count: number) => Math.floor(random() * count);
  let result = Buffer.from(bytes);
  for (let change = 1 + oneOf(4); change > 0; change -= 1) {
    const at = oneOf(result.length + 1);
    const what = oneOf(5);
    if (what === 0) result = result.subarray(0, at);
    else if (what === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(at + 1 + oneOf(8))]);
    else if (what === 2)
      result = Buffer.concat([result.subarray(0, at), randomBytes(oneOf(16), random), result.subarray(at)]);
    else if (what === 3) result = Buffer.concat([result, result.subarray(at)]);
    else if (at < result.length) result[at] = oneOf(256);
  }
  return result;
}

/** Bytes from the random numbers of the seed, so that a run can be repeated. */
export function randomBytes(length: number, random: () => number = randomNumbers(1)): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

function hpackText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([hpackLength(bytes.length), bytes]);
}

/** An integer with a prefix of 7 bits (RFC 7541, 5.1). */
function hpackLength(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const bytes = [127];
  for (let rest = length - 127; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest >= 128 ? (rest % 128) + 128 : rest);
    if (rest < 128) return Buffer.from(bytes);
  }
}
