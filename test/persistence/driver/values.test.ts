import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer, parseComplete } from './backend-messages.ts';
import { drive, type Driven } from './driven.ts';

let driven: Driven;

beforeEach(async () => {
  driven = await drive();
});
afterEach(() => driven.close());

/** The OID. */
const TIMESTAMPTZ = 1184;

describe('values', () => {
  test('arrive as texts, as nothing, and bytes in the binary form', async () => {
    const { server, statements } = driven;
    const values = ['ñ', 7, 12n, true, null, undefined, Buffer.from([0, 255]), { a: 1 }];
    void statements.send({ text: 'one', values }).catch(() => {});
    await server.arrived(1);
    const [sent] = server.statements;
    expect(sent!.values.map((value) => value?.toString('latin1'))).toEqual([
      Buffer.from('ñ').toString('latin1'),
      ...['7', '12', 'true', undefined, undefined, '\x00\xff', '{"a":1}'],
    ]);
    expect(sent!.binary.map((isBinary, at) => isBinary && at)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      6,
      false,
    ]);
  });

  test('that are arrays arrive as PostgreSQL reads arrays, those of bytes in the binary form', async () => {
    const { server, statements } = driven;
    const moment = new Date('2026-11-22T05:29:00.123Z');
    const values = [['a', '"b\\', null], [], [1, 2n], [moment], [Buffer.of(1, 2), null], [{ a: 1 }]];
    void statements.send({ text: 'one', values }).catch(() => {});
    await server.arrived(1);
    const [sent] = server.statements;
    const texts = sent!.values.map((value, at) => (sent!.binary[at] ? undefined : value?.toString()));
    expect(texts).toEqual([
      '{"a","\\"b\\\\",NULL}',
      '{}',
      '{1,2}',
      '{"2026-11-22T05:29:00.123Z"}',
      undefined,
      '{"{\\"a\\":1}"}',
    ]);
    // One dimension with nulls of bytea, of two elements from the first on.
    const header = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 17, 0, 0, 0, 2, 0, 0, 0, 1];
    expect([...sent!.values[4]!]).toEqual([...header, 0, 0, 0, 2, 1, 2, 255, 255, 255, 255]);
  });

  test('that are none leave the text alone, unless it is prepared', async () => {
    const { server, statements } = driven;
    for (const isPrepared of [false, true]) {
      void statements.send({ text: 'one', values: [], isPrepared }).catch(() => {});
    }
    await server.arrived(2);
    expect(server.statements.map(({ messages }) => messages)).toEqual(['Q', 'PBDES']);
  });
});

describe('a moment', () => {
  test.each([
    ['Date', new Date('2026-11-22T05:29:00.123Z')],
    ['text', '2026-11-22 05:29:00.123456+00'],
  ] as const)('arrives as %s where that is asked for', async (momentsAs, expected) => {
    const { server, statements } = driven;
    const asked = statements.send({ text: 'one', values: [1], momentsAs });
    await server.arrived(1);
    server.send(parseComplete, answer([['moment', TIMESTAMPTZ]], ['2026-11-22 05:29:00.123456+00']));
    expect((await asked).rows).toEqual([{ moment: expected }]);
  });

  test.each(['Date', 'text'] as const)(
    'that cannot be read as %s fails its own statement, and no other',
    async (momentsAs) => {
      const { server, statements } = driven;
      const asked = [1, 2].map((value) => statements.send({ text: 'one', values: [value], momentsAs }));
      await server.arrived(2);
      server.send(parseComplete, answer([['moment', TIMESTAMPTZ]], ['22/11/2026 05:29:00 UTC']));
      server.send(parseComplete, answer([['moment', TIMESTAMPTZ]], [null]));
      await expect(asked[0]).rejects.toThrow("wrote a moment as '22/11/2026 05:29:00 UTC'");
      expect((await asked[1])!.rows).toEqual([{ moment: null }]);
    },
  );
});
