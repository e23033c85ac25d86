import { defineEntity, p } from '@mikro-orm/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { columnsOf } from '../../src/persistence/columns-of.ts';
import { columns } from '../../src/persistence/connections/columns.ts';
import { insertInto } from '../../src/persistence/insert-into.ts';
import { ARRIVED } from '../../src/persistence/moments.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

const parcelTable = defineEntity({
  name: 'ParcelEntity',
  tableName: 'parcel',
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    state: columns.oneOf(['NEW', 'SENT']).default('NEW'),
    weight: columns.amount(),
    bytesSent: columns.count(),
    isFragile: p.boolean(),
    digest: p.blob().nullable(),
    labels: p.json<readonly string[]>().nullable(),
    sentAt: columns.moment().nullable(),
    updatedAt: p.datetime(6),
  },
});

let database: TestDatabase;
let client: string;
let other: string;

beforeAll(async () => {
  database = await testDatabase();
  client = await newClient(database.db);
  other = await newClient(database.db);
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `create table parcel (
       client_id uuid, id uuid, name text not null, state text not null default 'NEW', weight numeric(20,4) not null,
       bytes_sent bigint not null, is_fragile bool not null, digest bytea, labels jsonb, sent_at timestamptz(3),
       updated_at timestamptz(6) not null, primary key (client_id, id));
     grant select, insert, update on parcel to laurel_app`,
  );
  await owner.end();
});
afterAll(() => database.drop());

const parcel = () => ({
  id: newId(),
  name: 'a "quoted" {name}',
  state: 'SENT' as const,
  weight: 12_3400n,
  bytesSent: 2 ** 40,
  isFragile: false,
  digest: Uint8Array.of(0, 255, 34),
  labels: ['first', 'sec"ond'],
  sentAt: new Date('2026-03-29T01:59:59.999Z'),
  updatedAt: '2026-03-29T01:59:59.999123Z',
});

const ALL = columnsOf(parcelTable, [
  'id',
  'name',
  'state',
  'weight',
  'bytesSent',
  'isFragile',
  'digest',
  'labels',
  'sentAt',
]);

function stored(clientId = client) {
  return database.db.unitOfWork(clientId, (uow) =>
    uow.query(`select ${ALL}, updated_at::text from parcel where client_id = $1 order by id`, [clientId]),
  );
}

describe('rows that are written as the entity declares them', () => {
  const insert = insertInto(parcelTable);

  test('arrive with every type, and with what is not there, in the order sent and for the own client only', async () => {
    const sent = [parcel(), { ...parcel(), digest: undefined, labels: null, sentAt: undefined }];
    await database.db.unitOfWork(client, (uow) => insert(uow, sent));
    expect(await stored()).toEqual(
      sent.map(({ id, digest, labels, sentAt }) => ({
        id,
        name: 'a "quoted" {name}',
        state: 'SENT',
        weight: '12.3400',
        bytes_sent: String(2 ** 40),
        is_fragile: false,
        digest: digest ? Buffer.from(digest) : null,
        labels: labels ?? null,
        sent_at: sentAt ?? null,
        updated_at: '2026-03-29 01:59:59.999123+00',
      })),
    );
    expect(await stored(other)).toEqual([]);
  });

  test('are not sent at all where there are none', async () => {
    await database.db.unitOfWork(client, async (uow) => {
      expect(await insert(new Proxy(uow, { get: () => () => expect.unreachable() }), [])).toEqual([]);
    });
  });

  test('need a value for every column, so that a new one is not forgotten', () => {
    type Row = Parameters<typeof insert>[1][number];
    const { name: _, ...nameless } = parcel();
    expectTypeOf(parcel()).toExtend<Row>();
    expectTypeOf(nameless).not.toExtend<Row>();
    expectTypeOf<Row['name']>().toEqualTypeOf<string>();
    expectTypeOf<Row['state']>().toEqualTypeOf<'NEW' | 'SENT'>();
    expectTypeOf<null>().not.toExtend<Row['weight']>();
  });
});

test('columns that a new row does not have, or that the statement works out, are not sent', async () => {
  const insert = insertInto(parcelTable, {
    default: ['state', 'digest', 'labels', 'sentAt'],
    computed: { updatedAt: ARRIVED },
    returning: columnsOf(parcelTable, ['state', 'sentAt', 'updatedAt']),
  });
  const before = Date.now();
  const { id, name, weight, bytesSent, isFragile } = parcel();
  const [row] = await database.db.unitOfWork(client, (uow) =>
    insert(uow, [{ id, name, weight, bytesSent, isFragile }]),
  );
  expect(row).toEqual({ state: 'NEW', sent_at: null, updated_at: expect.any(Date) });
  expect(Math.abs(row!.updated_at.getTime() - before)).toBeLessThan(60_000);
});

test('what the rows have in common is sent once', async () => {
  const insert = insertInto(parcelTable, {
    shared: ['sentAt', 'name'],
    returning: columnsOf(parcelTable, ['id', 'sentAt']),
  });
  const sentAt = new Date('2026-05-01T10:00:00.000Z');
  const rows = [parcel(), parcel()].map((each) => ({ ...each, name: 'of both', sentAt }));
  const written = await database.db.unitOfWork(client, (uow) => insert(uow, rows));
  expect(written).toEqual(rows.map(({ id }) => ({ id, sent_at: sentAt })));
});

describe('a row whose key is there', () => {
  const again = async (insert: typeof unlessThere) => {
    const first = parcel();
    const changed = { ...first, name: 'changed', state: 'NEW' as const, weight: 1n, bytesSent: 5 };
    const [one, two] = await database.db.unitOfWork(client, async (uow) => [
      await insert(uow, [first]),
      await insert(uow, [changed]),
    ]);
    expect(one).toEqual([{ id: first.id }]);
    return { answered: two, row: (await stored()).find((row) => 'id' in row && row.id === first.id) };
  };
  const returning = columnsOf(parcelTable, ['id']);
  const unlessThere = insertInto(parcelTable, { conflict: { key: ['id'], do: 'nothing' }, returning });
  const orChange = insertInto(parcelTable, { conflict: { key: ['id'], do: 'update', keep: ['bytesSent'] }, returning });

  test('stays as it is, and is not answered', async () => {
    expect(await again(unlessThere)).toMatchObject({ answered: [], row: { state: 'SENT', weight: '12.3400' } });
  });

  test('takes all that was sent but what it keeps', async () => {
    expect(await again(orChange)).toMatchObject({
      answered: [{}],
      row: { name: 'changed', state: 'NEW', weight: '0.0001', bytes_sent: String(2 ** 40) },
    });
  });
});

test('a type that no array has is refused when the statement is made', () => {
  const listTable = defineEntity({
    name: 'ListEntity',
    tableName: 'list',
    properties: { clientId: columns.clientId(), id: columns.id(), accountIds: columns.references() },
  });
  expect(() => insertInto(listTable)).toThrow('ListEntity.accountIds has a type that cannot be sent as an array.');
});
