import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let it: TestDatabase;
let client: string;

beforeAll(async () => {
  it = await testDatabase();
  client = await newClient(it.db);
});
afterAll(() => it.drop());

/** What PostgreSQL has of an array, sent beside one element that a plain parameter carries. */
function echoed(type: string, values: readonly unknown[]): Promise<unknown[]> {
  return it.db.unitOfWork(client, async (uow) => {
    const [row] = await uow.query<{ echo: unknown[] }>(`select $1::${type}[] as echo`, [values]);
    return row!.echo;
  });
}

/** Characters that mean something in an array's literal or in its elements, and any others that a text may hold. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', "'", '\n', 'N', 'U', 'L', 'x') }),
  fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '').toWellFormed()),
  fc.constantFrom('', 'NULL', 'null', '\\x00', '{}'),
);

const moment = fc.date({
  min: new Date('-004000-01-01T00:00:00Z'),
  max: new Date('+011000-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('an array arrives in PostgreSQL as it was sent', () => {
  const arrives = <T>(type: string, element: fc.Arbitrary<T>) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(element), { minLength: 1, maxLength: 8 }), async (values) => {
        expect(await echoed(type, values)).toEqual(values);
      }),
      { numRuns: 150 },
    );

  test('with texts', () => arrives('text', text));

  test('with moments, also before the year 1 and after 9999', () => arrives('timestamptz', moment));

  test('with bytes', () =>
    arrives(
      'bytea',
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    ));

  test('with numbers', () =>
    arrives(
      'float8',
      fc.double({ noNaN: true }).map((value) => value + 0),
    ));

  test('with truth values', () => arrives('boolean', fc.boolean()));

  test('with nothing in it, and with what the driver converts by itself', async () => {
    expect(await echoed('text', [])).toEqual([]);
    expect(await echoed('jsonb', [{ a: '"' }, null])).toEqual([{ a: '"' }, null]);
  });
});
