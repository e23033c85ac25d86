// Sends one attack to a port of this machine for a while: `node stranger-process.ts <attack> <port> <milliseconds> <token>`. Prints the
// number of opened streams or requests, and then ends.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FRAME, frame, PREFACE } from './http2-frames.ts';
import { type Attack, attacksWith } from './stranger-attacks.ts';

const [name = '', port = '', milliseconds = '', token = ''] = process.argv.slice(2);
const attack = attacksWith(token)[name];
if (attack === undefined) throw new Error(`There is no attack ${name}.`);

/** The local address, from which no valid credential was sent. */
const ADDRESS = process.platform === 'linux' ? '127.0.0.66' : '127.0.0.1';

/** The maximum amount to send. */
const OPENED_MAX = 3_000_000;

const endsAt = performance.now() + Number(milliseconds);
const isOver = () => performance.now() >= endsAt || opened >= OPENED_MAX;
let opened = 0;

/** Milliseconds after which opened streams are reset: the service has begun to answer some of them by then. */
const DROP_AFTER = 20;

/** The offset of a stream's id in a frame. */
const ID_AT = 5;

/** Frames for `count` streams from `first`, each with its id set: one buffer that is changed again for the next. */
function framesOf(sends: Buffer, count: number): (first: number) => Buffer {
  const offsets: number[] = [];
  for (let at = 0; at < sends.length; at += 9 + sends.readUIntBE(at, 3)) offsets.push(at + ID_AT);
  return (first) => {
    const all = Buffer.allocUnsafe(sends.length * count);
    for (let index = 0; index < count; index += 1) {
      sends.copy(all, index * sends.length);
      for (const offset of offsets) all.writeUInt32BE(first + 2 * index, index * sends.length + offset);
    }
    return all;
  };
}

const RESET = frame(FRAME.RST_STREAM, 0, 0, Buffer.from([0, 0, 0, 8]));

async function open(): Promise<Socket> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ADDRESS });
  socket.on('error', () => {});
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  return socket;
}

async function written(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, endsAt - performance.now()));
    socket.on('drain', done).on('close', done);
  });
}

async function http2Connection({ sends, streams, ending, drips, readsNothing }: Attack): Promise<void> {
  const socket = await open();
  if (readsNothing) socket.pause();
  else socket.resume();
  const opening = framesOf(ending === 'resetAtOnce' ? Buffer.concat([sends, RESET]) : sends, streams);
  const resetting = framesOf(RESET, streams);
  const dripping = drips && framesOf(frame(FRAME.DATA, 0, 0, drips), streams);
  await written(socket, PREFACE);
  for (let first = 1; !isOver() && !socket.destroyed; first += 2 * streams) {
    await written(socket, opening(first));
    opened += streams;
    if (ending === 'hold' || ending === 'drip') break;
    if (ending === 'hangUp') {
      await sleep(DROP_AFTER);
      break;
    }
    if (ending === 'reset') {
      await sleep(DROP_AFTER);
      await written(socket, resetting(first));
    }
  }
  const stays = ending === 'hold' || ending === 'drip';
  if (stays)
    while (!isOver() && !socket.destroyed) {
      if (dripping && socket.writableLength === 0) await written(socket, dripping(1));
      await sleep(50);
    }
  socket.destroy();
}

async function http1Connection({ sends, ending }: Attack): Promise<void> {
  const socket = await open();
  socket.resume();
  await written(socket, sends);
  opened += 1;
  if (ending === 'hold') while (!isOver() && !socket.destroyed) await sleep(50);
  else await sleep(DROP_AFTER);
  socket.destroy();
}

async function connectionAfterConnection(): Promise<void> {
  while (!isOver()) {
    await (attack!.http === 2 ? http2Connection(attack!) : http1Connection(attack!));
    // A refused connection is soon tried again, but not in a busy loop.
    await sleep(1);
  }
}

await Promise.all(Array.from({ length: attack.connections }, connectionAfterConnection));
process.stdout.write(JSON.stringify({ opened }));
process.exit(0);
