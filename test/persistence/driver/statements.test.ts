import { afterEach, describe, expect, test } from 'vitest';
import {
  answer,
  bindComplete,
  commandComplete,
  errorResponse,
  noData,
  noticeResponse,
  parameterStatus,
  parseComplete,
  readyForQuery,
  result,
} from './backend-messages.ts';
import { drive, type Driven, type DrivenOptions } from './driven.ts';

let open: Driven[] = [];

async function driven(options?: DrivenOptions): Promise<Driven> {
  const one = await drive(options);
  open.push(one);
  return one;
}

afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
});

/** OIDs. */
const INT4 = 23;
const TEXT = 25;
const TIMESTAMPTZ = 1184;

const UNIQUE = errorResponse({
  S: 'ERROR',
  V: 'ERROR',
  C: '23505',
  M: 'duplicate key',
  t: 'account',
  n: 'account_key',
  R: '_bt_check_unique',
});

describe('statements of one connection', () => {
  test('leave before those in front of them are answered, and each gets the answer to itself', async () => {
    const { server, statements } = await driven();
    const asked = ['one', 'two', 'three'].map((text) => statements.send({ text, values: [text], isPrepared: true }));
    await server.arrived(3);
    expect(statements.traffic).toMatchObject({ sent: 3, answered: 0 });
    for (const n of ['1', '2', '3']) server.send(parseComplete, answer([['n', INT4]], [n]));
    const answers = await Promise.all(asked);
    expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(statements.traffic).toMatchObject({ sent: 3, answered: 3 });
  });

  test('get their answers also where they arrive byte by byte', async () => {
    const { server, statements } = await driven();
    const asked = [
      statements.send({ text: 'one', values: [1], isPrepared: true, momentsAs: 'Date' }),
      statements.sendSeveral({ text: 'two; three' }),
    ];
    await server.arrived(2);
    await server.sendSlowly(
      Buffer.concat([
        parseComplete,
        answer(
          [
            ['word', TEXT],
            ['moment', TIMESTAMPTZ],
          ],
          ['“ñ”', '2026-11-22 05:29:00.123456+00'],
          [null, null],
        ),
        result([['n', INT4]], ['2']),
        commandComplete('UPDATE 3'),
        readyForQuery(),
      ]),
      () => statements.traffic.received,
    );
    expect(await Promise.all(asked)).toMatchObject([
      {
        command: 'SELECT',
        rowCount: 2,
        rows: [
          { word: '“ñ”', moment: new Date('2026-11-22T05:29:00.123Z') },
          { word: null, moment: null },
        ],
      },
      [
        { command: 'SELECT', rows: [{ n: 2 }] },
        { command: 'UPDATE', rowCount: 3, rows: [] },
      ],
    ]);
  });

  test('fail alone: what is behind one that fails gets its own answer', async () => {
    const { server, statements } = await driven();
    const asked = ['insert', 'select'].map((text) => statements.send({ text, values: [1], isPrepared: true }));
    await server.arrived(2);
    server.send(parseComplete, bindComplete, UNIQUE, readyForQuery('E'));
    server.send(parseComplete, answer([['n', INT4]], ['2']));
    await expect(asked[0]).rejects.toMatchObject({
      code: '23505',
      severity: 'ERROR',
      constraint: 'account_key',
      routine: '_bt_check_unique',
    });
    expect((await asked[1])!.rows).toEqual([{ n: 2 }]);
    expect(statements.traffic).toMatchObject({ sent: 2, answered: 2 });
  });

  test('fail alone where a value cannot be sent', async () => {
    const { server, statements } = await driven();
    // JSON has no such numbers.
    const unsendable = statements.send({ text: 'one', values: [{ n: 1n }] });
    const sendable = statements.send({ text: 'two', values: [2] });
    await expect(unsendable).rejects.toThrow('BigInt');
    await server.arrived(2);
    expect(server.statements.map(({ messages }) => messages)).toEqual(['PCS', 'PBDES']);
    // ParseComplete, CloseComplete.
    server.send(parseComplete, Buffer.from([0x33, 0, 0, 0, 4]), readyForQuery());
    server.send(parseComplete, answer([['n', INT4]], ['2']));
    expect((await sendable).rows).toEqual([{ n: 2 }]);
  });

  test('report what was done, how many rows it concerned, and a commit that was none', async () => {
    const { server, statements } = await driven();
    const asked = ['insert', 'begin', 'commit'].map((text) => statements.send({ text }));
    await server.arrived(3);
    for (const tag of ['INSERT 0 7', 'BEGIN', 'ROLLBACK']) server.send(commandComplete(tag), readyForQuery());
    expect(await Promise.all(asked)).toMatchObject([
      { command: 'INSERT', rowCount: 7 },
      { command: 'BEGIN', rowCount: null },
      { command: 'ROLLBACK', rowCount: null },
    ]);
  });

  test('are not disturbed by notices and by settings that the server reports', async () => {
    const { server, statements, client } = await driven();
    const notices: unknown[] = [];
    client.on('notice', ({ code, message }) => notices.push([code, message]));
    const asked = statements.send({ text: 'one', values: [1] });
    await server.arrived(1);
    const notice = noticeResponse({ S: 'NOTICE', V: 'NOTICE', C: 'LAUR1', M: 'decided' });
    const between = [notice, parameterStatus('TimeZone', 'UTC')];
    server.send(...between, parseComplete, ...between, bindComplete, result([['n', INT4]], ['1']), ...between);
    server.send(readyForQuery('T'), ...between);
    expect((await asked).rows).toEqual([{ n: 1 }]);
    await expect.poll(() => notices).toEqual(Array.from({ length: 4 }, () => ['LAUR1', 'decided']));
  });

  test('of one text have a result each, and fail together', async () => {
    const { server, statements } = await driven();
    const asked = statements.sendSeveral({ text: 'begin; select 1; select' });
    const single = statements.sendSeveral({ text: 'begin' });
    const failing = statements.sendSeveral({ text: 'select 1; insert' });
    await server.arrived(3);
    expect(server.statements.map(({ messages }) => messages)).toEqual(['Q', 'Q', 'Q']);
    server.send(commandComplete('BEGIN'), result([['n', INT4]], ['1']), result([]), readyForQuery('T'));
    server.send(commandComplete('BEGIN'), readyForQuery('T'));
    server.send(result([['n', INT4]], ['1']), UNIQUE, readyForQuery('E'));
    expect((await asked).map(({ command, rows }) => [command, rows])).toEqual([
      ['BEGIN', []],
      ['SELECT', [{ n: 1 }]],
      ['SELECT', []],
    ]);
    expect((await single).map(({ command }) => command)).toEqual(['BEGIN']);
    await expect(failing).rejects.toMatchObject({ code: '23505' });
  });
});

describe('a prepared statement', () => {
  test('is parsed when it is first sent, and not again, also where that has not been answered', async () => {
    const { server, statements } = await driven();
    const send = (text: string) => statements.send({ text, values: [1], isPrepared: true });
    const first = [send('one'), send('one'), send('two')];
    await server.arrived(3);
    server.send(parseComplete, answer([]), answer([]), parseComplete, answer([]));
    await Promise.all(first);
    const later = send('one');
    await server.arrived(4);
    server.send(answer([]));
    await later;
    const sent = server.statements.map(({ messages, name }) => [messages, name]);
    const [one, two] = [server.statements[0]!.name, server.statements[2]!.name];
    expect(sent).toEqual([
      ['PBDES', one],
      ['BDES', one],
      ['PBDES', two],
      ['BDES', one],
    ]);
    expect(one).toMatch(/^laurel_[0-9a-f]{32}$/);
    expect(two).not.toBe(one);
  });

  test('that failed to be parsed is parsed when it is next sent', async () => {
    const { server, statements } = await driven();
    const send = () => statements.send({ text: 'one', values: [1], isPrepared: true });
    const failing = send();
    await server.arrived(1);
    server.send(errorResponse({ S: 'ERROR', V: 'ERROR', C: '42P01', M: 'no such table' }), readyForQuery());
    await expect(failing).rejects.toMatchObject({ code: '42P01' });
    void send().catch(() => {});
    await server.arrived(2);
    expect(server.statements.map(({ messages }) => messages)).toEqual(['PBDES', 'PBDES']);
  });

  test('leaves the types of its parameters to the server', async () => {
    const { server, statements } = await driven();
    for (const momentsAs of ['Date', 'text'] as const) {
      void statements.send({ text: momentsAs, values: [1], isPrepared: true, momentsAs }).catch(() => {});
    }
    await server.arrived(2);
    expect(server.statements.map(({ declaredTypes }) => declaredTypes)).toEqual([0, 0]);
  });

  test('has no name where statements are not to be prepared, and is parsed each time', async () => {
    const { server, statements } = await driven({ preparedStatements: false });
    for (let n = 0; n < 2; n += 1) {
      void statements.send({ text: 'one', values: [1], isPrepared: true }).catch(() => {});
    }
    await server.arrived(2);
    expect(server.statements.map(({ messages, name }) => [messages, name])).toEqual([
      ['PBDES', ''],
      ['PBDES', ''],
    ]);
  });
});

test('a statement that returns nothing has no rows', async () => {
  const { server, statements } = await driven();
  const asked = statements.send({ text: 'update', values: [1] });
  await server.arrived(1);
  server.send(parseComplete, bindComplete, noData, commandComplete('UPDATE 2'), readyForQuery());
  expect(await asked).toMatchObject({ command: 'UPDATE', rowCount: 2, rows: [] });
});
