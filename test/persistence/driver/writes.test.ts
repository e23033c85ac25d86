import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { answer, parseComplete } from './backend-messages.ts';
import { drive, type Driven } from './driven.ts';

let driven: Driven;
let awaitsAnswers = false;
let spies: MockInstance[];

beforeEach(async () => {
  awaitsAnswers = false;
  driven = await drive({ awaitsAnswers: () => awaitsAnswers });
  spies = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await driven.close();
});

/** The pieces that the connection has passed to the system, each by one system call. */
function writes(): number {
  return spies.flatMap(({ mock }) => mock.contexts).filter((socket) => (socket as Socket).remotePort === driven.port)
    .length;
}

function send(text: string): Promise<unknown> {
  return driven.statements.send({ text, values: [1], isPrepared: true });
}

const ANSWER = [parseComplete, answer([])];

test('what is sent until the process waits leaves in one piece', async () => {
  const { server } = driven;
  const asked = ['one', 'two', 'three'].map(send);
  // Statements that follow from earlier answers are sent at such a moment.
  void Promise.resolve().then(() => asked.push(send('four')));
  expect(writes()).toBe(0);
  await server.arrived(4);
  expect(writes()).toBe(1);
  server.send(...ANSWER, ...ANSWER, ...ANSWER, ...ANSWER);
  await Promise.all(asked);
  const later = send('five');
  await server.arrived(5);
  expect(writes()).toBe(2);
  server.send(...ANSWER);
  await later;
});

test('what waits for answers leaves in one piece when all that had left is answered', async () => {
  const { server } = driven;
  awaitsAnswers = true;
  const asked = ['one', 'two'].map(send);
  await server.arrived(2);
  asked.push(send('three'));
  await new Promise(setImmediate);
  asked.push(send('four'));
  server.send(...ANSWER);
  await asked[0];
  await new Promise(setImmediate);
  expect(writes()).toBe(1);
  expect(server.statements).toHaveLength(2);
  server.send(...ANSWER);
  await server.arrived(4);
  expect(writes()).toBe(2);
  server.send(...ANSWER, ...ANSWER);
  await Promise.all(asked);
});
