import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  bytesReceived,
  connectClient,
  cut,
  isUnanswered,
  processIdOf,
  trafficOf,
} from '../../../src/persistence/driver/driver.ts';
import {
  answer,
  commandComplete,
  dataRow,
  errorResponse,
  parseComplete,
  readyForQuery,
  result,
  rowDescription,
} from './backend-messages.ts';
import { drive, type Driven, type DrivenOptions } from './driven.ts';
import { type FakeServer, fakeServer, GREETING, PROCESS_ID } from './fake-server.ts';

const INT4 = 23;

const FATAL = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' });

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function driven(options?: DrivenOptions): Promise<Driven> {
  const one = await drive(options);
  closing.push(one.close);
  return one;
}

async function server(greeting?: Buffer, closes?: boolean): Promise<FakeServer> {
  const one = await fakeServer(greeting, closes);
  closing.push(one.close);
  return one;
}

/** The result of each: `answered`, or the SQLSTATE or message of its error. */
async function outcomes(asked: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(asked);
  return settled.map((one) => (one.status === 'fulfilled' ? 'answered' : (one.reason.code ?? one.reason.message)));
}

const LOST = 'Connection terminated unexpectedly';

describe('a connection of the pool', () => {
  test('that the server ends fails the statement under way by what the server said, and those behind it', async () => {
    const { server, statements, losses } = await driven();
    const asked = ['one', 'two', 'three'].map((text) => statements.send({ text, values: [1], isPrepared: true }));
    await server.arrived(3);
    server.send(parseComplete, answer([['n', INT4]], ['1']), parseComplete, FATAL);
    server.end();
    expect(await outcomes(asked)).toEqual(['answered', '57P01', LOST]);
    expect(statements.traffic).toMatchObject({ sent: 3, answered: 3 });
    await expect.poll(() => losses).toMatchObject([{ message: LOST }]);
  });

  test('that the server ends while nothing is under way tells what the server said, and sends nothing any more', async () => {
    const { server, statements, losses } = await driven();
    server.send(FATAL);
    await expect.poll(() => losses).toMatchObject([{ code: '57P01', severity: 'FATAL' }]);
    await expect(statements.send({ text: 'one' })).rejects.toThrow('not queryable');
    expect(server.statements).toEqual([]);
  });

  test('whose greeting has the last words of the server behind it tells them', async () => {
    const { losses } = await driven({ greeting: Buffer.concat([GREETING, FATAL]) });
    await expect.poll(() => losses).toMatchObject([{ code: '57P01' }]);
  });

  test('that breaks off in the middle of a row answers nothing of it', async () => {
    const { server, statements } = await driven();
    const asked = ['one', 'two'].map((text) => statements.send({ text, values: [1], isPrepared: true }));
    await server.arrived(2);
    const row = dataRow('2');
    server.send(parseComplete, answer([['n', INT4]], ['1']), parseComplete, rowDescription(['n', INT4]), dataRow('1'));
    server.send(row.subarray(0, row.length - 1));
    server.end();
    expect(await outcomes(asked)).toEqual(['answered', LOST]);
  });

  test('that breaks off behind the last row and in front of the end of the answer has not answered', async () => {
    const { server, statements } = await driven();
    const asked = [statements.send({ text: 'commit' })];
    await server.arrived(1);
    server.send(commandComplete('COMMIT'));
    server.end();
    expect(await outcomes(asked)).toEqual([LOST]);
  });

  test('that is cut fails all that waits by the cause, and what was not sent yet is not', async () => {
    const { server, statements, client, losses } = await driven();
    const sent = statements.send({ text: 'one' });
    await server.arrived(1);
    const unsent = statements.send({ text: 'two' });
    cut(client, new Error('silent'));
    expect(await outcomes([sent, unsent])).toEqual(['silent', 'silent']);
    expect(losses).toMatchObject([{ message: 'silent' }]);
    await sleep(20);
    expect(server.statements).toHaveLength(1);
  });

  test('that was cut without a cause is lost as well', async () => {
    const { server, statements, client } = await driven();
    const asked = statements.send({ text: 'one' });
    await server.arrived(1);
    cut(client);
    expect(await outcomes([asked])).toEqual([LOST]);
  });

  test('tells what has arrived, byte by byte', async () => {
    const { server, statements, client } = await driven();
    const before = statements.traffic.received;
    expect(before).toBe(GREETING.length);
    server.send(Buffer.of(0x4e));
    await expect.poll(() => statements.traffic.received).toBe(before + 1);
    expect(bytesReceived(client)).toBe(before + 1);
  });
});

describe('a client beside the pool', () => {
  async function connected({ answerMs, closes }: { answerMs?: number; closes?: boolean } = {}) {
    const fake = await server(GREETING, closes);
    const client = await connectClient({ url: fake.url, name: 'beside', answerMs });
    closing.unshift(async () => cut(client));
    return { client, connection: await fake.connection() };
  }

  test('knows the number of its process, and the server what it is called', async () => {
    const { client, connection } = await connected();
    expect(processIdOf(client)).toBe(PROCESS_ID);
    expect(connection.startup).toMatchObject({ user: 'laurel', database: 'laurel', application_name: 'beside' });
  });

  test('gives up a server that does not greet, after its time', async () => {
    const silent = await server(Buffer.alloc(0));
    await expect(connectClient({ url: silent.url, connectMs: 50 })).rejects.toThrow(/timeout/);
  });

  test('throws what the server refuses it with', async () => {
    const refusing = await server(errorResponse({ S: 'FATAL', V: 'FATAL', C: '28P01', M: 'no such login' }));
    await expect(connectClient({ url: refusing.url })).rejects.toMatchObject({ code: '28P01' });
  });

  test('tells an answer that is late from one that is an error', async () => {
    const { client, connection } = await connected({ answerMs: 50 });
    const refused = client.query('one').catch((error: unknown) => error);
    await connection.arrived(1);
    connection.send(errorResponse({ S: 'ERROR', V: 'ERROR', C: '57014', M: 'canceling statement' }), readyForQuery());
    expect(isUnanswered(await refused)).toBe(false);
    const late: unknown = await client.query('two').catch((error: unknown) => error);
    expect(isUnanswered(late)).toBe(true);
  });

  test('takes leave, and is ended when the server has closed', async () => {
    const { client, connection } = await connected();
    const begun = performance.now();
    await client.end();
    expect(performance.now() - begun).toBeLessThan(900);
    expect(connection.hasTerminated).toBe(true);
  });

  test('takes leave, and is ended after a second where the server does not close', async () => {
    const { client, connection } = await connected({ closes: false });
    const begun = performance.now();
    await client.end();
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(connection.hasTerminated).toBe(true);
  });

  test('is watched: what is sent on it is counted, and each result is reported', async () => {
    const { client, connection } = await connected();
    const commands: string[] = [];
    const traffic = trafficOf(client, (results) => commands.push(...results.map(({ command }) => command)));
    const asked = [client.query('begin; select'), client.query('insert')];
    await connection.arrived(1);
    expect(traffic()).toMatchObject({ sent: 2, answered: 0 });
    connection.send(commandComplete('BEGIN'), result([['n', INT4]], ['1']), readyForQuery('T'));
    await asked[0];
    await connection.arrived(2);
    connection.send(errorResponse({ S: 'ERROR', V: 'ERROR', C: '23505', M: 'no' }), readyForQuery('E'));
    await expect(asked[1]).rejects.toMatchObject({ code: '23505' });
    expect(traffic()).toMatchObject({ sent: 2, answered: 2, received: bytesReceived(client) });
    expect(commands).toEqual(['BEGIN', 'SELECT']);
  });
});
