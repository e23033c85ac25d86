import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountTable } from '../../src/accounts/account.entity.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: string;

beforeAll(async () => {
  database = await testDatabase();
  client = await newClient(database.db);
});
afterAll(() => database.drop());

/** PostgreSQL's view of an array, sent beside one element as a plain parameter. */
function echoed(type: string, values: readonly unknown[]): Promise<unknown[]> {
  return database.db.unitOfWork(client, async (uow) => {
    const [row] = await uow.query<{ echo: unknown[] }>(`select $1::${type}[] as echo`, [values]);
    return row!.echo;
  });
}

/** Characters with a meaning in an array's literal or in its elements, and any others that a text may have. */
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

const DAY_US = 86_400_000_000n;

test.each(['UTC', 'Asia/Kathmandu', 'America/St_Johns'])(
  'a moment arrives from PostgreSQL to the millisecond below, whatever zone it writes in: %s',
  async (zone) => {
    await database.db.unitOfWork(client, async (uow) => {
      await uow.query(`set local TimeZone = '${zone}'`);
      const microseconds = fc.bigInt({ min: -59_000_000_000_000_000n, max: 260_000_000_000_000_000n });
      await fc.assert(
        fc.asyncProperty(microseconds, async (since1970) => {
          const [row] = await uow.query<{ moment: Date }>(
            `select (timestamp 'epoch' + make_interval(days => $1::int) + $2::bigint * interval '1 microsecond') at time zone 'UTC' as moment`,
            [since1970 / DAY_US, since1970 % DAY_US],
          );
          expect(row!.moment.getTime()).toBe(Number(floorDiv(since1970, 1_000n)));
        }),
        { numRuns: 200 },
      );
    });
  },
);

function floorDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend - (((dividend % divisor) + divisor) % divisor)) / divisor;
}

/** Texts with a meaning for PostgreSQL, or for a builder of statements. */
const statementText = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom("'", '\\', '?', '$1', ':x', '--', '/*', ';', '"', 'E', '\n', '😀') }),
  fc.constantFrom('??', '\\?', "E'\\'", '$$', ':name:', '%s', '{}', "' or true --"),
);

describe('a text that MikroORM writes into a statement', () => {
  test('is stored as it was sent, at an insert and at an update', async () => {
    const read = (id: string) =>
      database.db.unitOfWork(client, async (uow) => {
        const [row] = await uow.query('select email, name from account where client_id = $1 and id = $2', [client, id]);
        return row;
      });
    await fc.assert(
      fc.asyncProperty(statementText, statementText, async (one, other) => {
        const id = newId();
        await database.db.unitOfWork(client, async (uow) => {
          uow.em.create(accountTable, { clientId: client, id, email: one, name: other });
        });
        expect(await read(id)).toEqual({ email: one, name: other });
        await database.db.unitOfWork(client, async (uow) => {
          const account = await uow.em.findOneOrFail(accountTable, { clientId: client, id });
          uow.em.assign(account, { email: other, name: one });
        });
        expect(await read(id)).toEqual({ email: other, name: one });
      }),
      { numRuns: 150 },
    );
  });
});
