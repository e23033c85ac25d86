import { create, fromJson, type JsonValue } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilterSchema } from '../../gen/laurel/v1/filter_pb.ts';
import type { ColumnField } from '../../src/persistence/lists/filter-sql.ts';
import { pagedList } from '../../src/persistence/lists/list-page.ts';
import { matchFilter } from '../../src/persistence/lists/match-filter.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

/** A table with a column of each kind; row-level security is not tested here. */
const TABLE = `create table thing (
  client_id uuid not null, id uuid not null, label text, place text collate "C", state text, amount numeric(20,4),
  active boolean, seen_at timestamptz(3), deleted_at timestamptz(3), primary key (client_id, id))`;

const fields = {
  id: { kind: 'uuid', column: 'id' },
  label: { kind: 'text', column: 'label' },
  place: { kind: 'text', column: 'place' },
  state: { kind: 'enum', column: 'state', values: ['OPEN', 'CLOSED'] },
  amount: { kind: 'number', column: 'amount' },
  active: { kind: 'boolean', column: 'active' },
  seenAt: { kind: 'timestamp', column: 'seen_at' },
} as const satisfies Record<string, ColumnField>;

type Field = keyof typeof fields;

type Thing = {
  readonly id: string;
  readonly label: string | null;
  readonly place: string | null;
  readonly state: string | null;
  readonly amount: number | null;
  readonly active: boolean | null;
  readonly seenAt: string | null;
  readonly deletedAt: string | null;
};

let database: TestDatabase;
let clientId: string;

beforeAll(async () => {
  database = await testDatabase();
  clientId = await newClient(database.db);
  await database.db.systemUnitOfWork(async (uow) => {
    await uow.query('reset role');
    await uow.query(TABLE);
    await uow.query('grant select, insert, delete on thing to laurel_app');
  });
});
afterAll(() => database.drop());

/** Few letters, so that texts are often equal; some are special for LIKE and case-folding. */
const letters = fc.constantFrom('a', 'A', '%', '_', '\\', 'é', 'É', 'ж', 'Ж');
const text = fc.string({ unit: letters, maxLength: 3 });
const amount = fc.constantFrom(0, 1, 1.5, -2, 0.0001, 1_000_000_000);
const seenAt = fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z', '2026-10-25T01:30:00Z');
const id = fc.constantFrom(...[1, 2, 3, 4, 5, 6].map((digit) => `01890a5d-ac96-774b-bcce-b302099a805${digit}`));
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 });

const values = {
  id,
  label: text,
  place: text,
  state: fc.constantFrom('OPEN', 'CLOSED'),
  amount,
  active: fc.boolean(),
  seenAt,
} satisfies Record<Field, fc.Arbitrary<JsonValue>>;

const thing: fc.Arbitrary<Thing> = fc.record({
  id,
  label: orNull(text),
  place: orNull(text),
  state: orNull(values.state),
  amount: orNull(amount),
  active: orNull(values.active),
  seenAt: orNull(seenAt),
  deletedAt: fc.option(seenAt, { nil: null, freq: 2 }),
});

const condition = fc
  // Texts are more frequent, because they have the most rules.
  .constantFrom<Field>(...(Object.keys(fields) as Field[]), 'label', 'label', 'place', 'place')
  .chain((field) =>
    fc
      .oneof(orNull<JsonValue>(values[field]), fc.array(orNull<JsonValue>(values[field]), { maxLength: 3 }))
      .map((value) => ({ field, value })),
  );

const filter = fc.record(
  { filters: fc.array(condition, { maxLength: 4 }), matchAll: fc.boolean(), includeDeleted: fc.boolean() },
  { requiredKeys: ['filters'] },
);

type PlainFilter = {
  readonly filters: readonly { readonly field: Field; readonly value: JsonValue }[];
  readonly matchAll?: boolean;
  readonly includeDeleted?: boolean;
};

/** The contract's table, implemented literally. */
function meets(item: Thing, { filters, matchAll = true }: PlainFilter, partial: boolean): boolean {
  const results = filters.map(({ field, value }) => {
    const actual = item[field];
    if (Array.isArray(value)) return value.some((each) => each === actual);
    if (partial && typeof value === 'string' && fields[field].kind === 'text') {
      return typeof actual === 'string' && lower(actual).includes(lower(value));
    }
    return value === actual;
  });
  if (results.length === 0) return true;
  return matchAll ? results.every(Boolean) : results.some(Boolean);
}

/** Letter by letter, as PostgreSQL does. */
function lower(from: string): string {
  return [...from].map((letter) => letter.toLowerCase()).join('');
}

const page = pagedList<{ id: string }>({ from: 'thing', columns: 'id', orderBy: ['id'], fields, deletable: true });

test('a filter over a table and over items in memory finds what the contract says', async () => {
  const itemFields = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...field,
        of: (item: Thing) => (name === 'seenAt' ? item.seenAt && new Date(item.seenAt) : item[name as Field]),
      },
    ]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(thing, { selector: (each) => each.id, maxLength: 6 }),
      filter,
      async (things, plain) => {
        const asked = fromJson(FilterSchema, plain as JsonValue);
        const idsWhere = (holds: (item: Thing) => boolean) =>
          things
            .filter(holds)
            .map((item) => item.id)
            .toSorted();

        const shown = (item: Thing) => plain.includeDeleted === true || item.deletedAt === null;
        expect(await storedIds(things, asked)).toEqual(idsWhere((item) => shown(item) && meets(item, plain, true)));

        const matches = matchFilter<Thing>(asked, itemFields);
        expect(idsWhere(matches)).toEqual(idsWhere((item) => meets(item, plain, false)));
      },
    ),
    { numRuns: 1_000 },
  );
}, 60_000);

async function storedIds(things: readonly Thing[], asked: ReturnType<typeof create<typeof FilterSchema>>) {
  return database.db.unitOfWork(clientId, async (uow) => {
    await uow.query('delete from thing');
    await uow.query(
      `insert into thing select $1::uuid, * from jsonb_to_recordset($2::jsonb) as t(id uuid, label text, place text,
         state text, amount numeric, active boolean, "seenAt" timestamptz, "deletedAt" timestamptz)`,
      [clientId, JSON.stringify(things)],
    );
    const { rows, totalRows } = await page(uow, { page: 1, limit: 100, filters: asked });
    expect(totalRows).toBe(rows.length);
    return rows.map((row) => row.id);
  });
}

describe('what is refused, with words that help', () => {
  const refusals: [string, JsonValue, RegExp][] = [
    [
      'an unknown field',
      { field: 'colour', value: 'red' },
      /'colour'.*Allowed: id, label, place, state, amount, active, seenAt/,
    ],
    ['a name that every object has', { field: 'constructor', value: 1 }, /not filterable.*Allowed/],
    ['an unknown enum word', { field: 'state', value: 'open' }, /one of OPEN, CLOSED/],
    ['an unknown enum word in an array', { field: 'state', value: ['OPEN', 'AJAR'] }, /one of OPEN, CLOSED/],
    ['a number for a text', { field: 'label', value: 7 }, /must be a string/],
    ['a boolean for a text', { field: 'label', value: true }, /must be a string/],
    ['a text with a NUL', { field: 'label', value: 'a\0' }, /without NUL/],
    ['a text that is no UUID', { field: 'id', value: '1234' }, /must be a UUID/],
    ['a number for a UUID', { field: 'id', value: 1234 }, /must be a UUID/],
    ['a text that is no number', { field: 'amount', value: 'many' }, /must be a number/],
    ['a number for a boolean', { field: 'active', value: 1 }, /true or false/],
    ['a text that is no date', { field: 'seenAt', value: 'yesterday' }, /must be a date/],
    ['a day that the calendar lacks', { field: 'seenAt', value: '2026-02-30' }, /must be a date/],
    ['a moment without a zone', { field: 'seenAt', value: '2026-02-03T10:00:00' }, /must be a date/],
    ['a year that PostgreSQL lacks', { field: 'seenAt', value: '0000-01-01' }, /must be a date/],
    ['a moment that its offset pushes out', { field: 'seenAt', value: '9999-12-31T23:59:59-23:59' }, /must be a date/],
    ['an object', { field: 'label', value: { contains: 'a' } }, /must be a string/],
    ['an array in an array', { field: 'label', value: [['a']] }, /must be a string/],
    ['no value', { field: 'label' }, /has no value/],
    ['1,001 values', { field: 'label', value: Array.from({ length: 1_001 }, () => 'a') }, /at most 1000/],
  ];

  test.each(refusals)('%s', async (_what, sent, words) => {
    const asked = fromJson(FilterSchema, { filters: [sent] });
    const refusal = { kind: 'INVALID', code: 'BAD_REQUEST', message: expect.stringMatching(words) };
    expect(() =>
      matchFilter(
        asked,
        Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, of: () => null }])),
      ),
    ).toThrow(expect.objectContaining(refusal));
    await expect(
      database.db.unitOfWork(clientId, (uow) => page(uow, { page: 1, limit: 1, filters: asked })),
    ).rejects.toMatchObject(refusal);
  });
});

test.each([
  ['seenAt', '2026-01-01T01:00:00+01:00'],
  ['seenAt', '2026-01-01t00:00:00.000000z'],
  ['seenAt', '2026-01-01'],
  ['amount', '1.50'],
  ['amount', 1.5],
  ['active', 'true'],
  ['id', '01890A5D-AC96-774B-BCCE-B302099A8051'],
])('%s accepts %j', async (field, value) => {
  const one = { id: '01890a5d-ac96-774b-bcce-b302099a8051', amount: 1.5, active: true, seenAt: '2026-01-01T00:00:00Z' };
  const asked = fromJson(FilterSchema, { filters: [{ field, value }] });
  const rest = { label: null, place: null, state: null, deletedAt: null };
  expect(await storedIds([{ ...one, ...rest }], asked)).toEqual([one.id]);
});

test('1,000 values in each of 50 conditions are answered', async () => {
  const value = Array.from({ length: 1_000 }, (_, index) => `label ${index}`);
  const asked = create(
    FilterSchema,
    fromJson(FilterSchema, { filters: Array.from({ length: 50 }, () => ({ field: 'label', value })) }),
  );
  expect(await storedIds([], asked)).toEqual([]);
});
