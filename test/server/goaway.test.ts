import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOnePort } from '../../src/server/http/one-port.ts';
import { FRAME, PREFACE, request } from '../faults/support/http2-frames.ts';

const HEADERS = { ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'laurel' };

/** The received frames, complete ones only. */
function framesOf(bytes: Buffer): { type: number; stream: number; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at + 9 <= bytes.length;) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    frames.push({ type: bytes[at + 3]!, stream: bytes.readUInt32BE(at + 5), payload: bytes.subarray(at + 9, end) });
    at = end;
  }
  return frames;
}

test('a call that crosses the GOAWAY is either begun and below its last stream, or not begun: nobody makes it twice', async () => {
  const begun: number[] = [];
  const port = createOnePort(
    (incoming, response) => {
      begun.push((incoming as { stream: { id: number } }).stream.id);
      response.end();
    },
    () => {},
  );
  const socket = connect(await port.listen(0, '127.0.0.1'), '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => {});
  await once(socket, 'connect');
  socket.write(Buffer.concat([PREFACE, request(1, HEADERS)]));
  await expect.poll(() => begun).toEqual([1]);
  // After a timer, the event loop reads the received data, and only then sends the submitted data.
  await sleep(50);
  socket.write(request(3, HEADERS));
  await port.close(2_000);
  await expect.poll(() => socket.closed).toBe(true);

  const goaways = framesOf(Buffer.concat(pieces)).filter(({ type }) => type === FRAME.GOAWAY);
  expect(goaways.length).toBeGreaterThan(0);
  // A caller repeats elsewhere the requests after the last stream of the first GOAWAY.
  const last = goaways[0]!.payload.readUInt32BE(0);
  expect({ last, begunBeyond: begun.filter((stream) => stream > last) }).toEqual({ last, begunBeyond: [] });
});
