import { ReferenceKind } from '@mikro-orm/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { columnsOf } from '../../src/persistence/columns-of.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { entitiesHaveDrifted, migrate, pendingMigrations } from '../../src/persistence/migrate.ts';
import { rightsOf, type ServiceRole } from '../../src/persistence/postgres/service-roles.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { createDatabase, dropDatabase } from '../support/databases.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Runs as the owner of the tables, who sees the catalogue, but, because of row-level security, no rows. */
async function asOwner<Row extends object>(sql: string): Promise<Row[]> {
  return database.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    return uow.query<Row>(sql);
  });
}

/** Every table of the service except `client`, whose own id is the client, the list of migrations, and the witness of dumps. */
const CLIENT_TABLES = `
  select c.oid, c.relname as name from pg_class c
   where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname not in ('client', 'migration', 'whole_dump')`;

test('the migrations build what the entities declare', async () => {
  expect(await entitiesHaveDrifted(entities)).toBe(false);
});

test('every entity has its table, and every table its entity', async () => {
  // A partition is a part of its table.
  const tables = await asOwner<{ name: string }>(`${CLIENT_TABLES} and not c.relispartition`);
  const declared = entities.map((entity) => entity.meta.tableName);
  expect(new Set(tables.map((table) => table.name).concat('client'))).toEqual(new Set(declared));
});

test('the columns that statements are built from are those of the tables', async () => {
  const stored = await asOwner<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attname) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace group by c.relname`);
  const columns = new Map(stored.map((table) => [table.name, table.columns]));
  for (const entity of entities) {
    // The columns of a relation are the ids beside it.
    const isColumn = (property: object) => !('kind' in property && property.kind === ReferenceKind.MANY_TO_ONE);
    const names = Object.entries(entity.properties).flatMap(([name, each]) => (isColumn(each) ? [name as never] : []));
    const listed = columnsOf(entity, names);
    expect(listed.split(', ').toSorted(), entity.meta.tableName).toEqual(columns.get(entity.meta.tableName));
  }
});

test('a column that the entity does not have is refused when the module is loaded, and named', () => {
  expect(() => columnsOf(entities[0]!, ['nickname' as never])).toThrow('nickname');
});

test('every row belongs to a client', async () => {
  const without = await asOwner(`
    select t.name from (${CLIENT_TABLES}) t
     where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'client_id' and a.attnotnull)`);
  expect(without).toEqual([]);
});

// A GIN index has no order of columns, and account ids belong to one client each: docs/decisions/0067. Each process reads the latest
// revocations of all clients: docs/decisions/0127.
test('the client leads every index and every foreign key', async () => {
  const indexes = await asOwner(`
    select i.indexrelid::regclass::text as name from (${CLIENT_TABLES}) t join pg_index i on i.indrelid = t.oid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
     where a.attname <> 'client_id' and i.indexrelid::regclass::text !~ '^(journal_batch_.*(search|_idx)|account_tokens_revoked)$'`);
  const references = await asOwner(`
    select k.conname as name from (${CLIENT_TABLES}) t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1] where a.attname <> 'client_id'`);
  expect([indexes, references]).toEqual([[], []]);
});

test('every table can be partitioned by client: PostgreSQL accepts all its keys', async () => {
  const tables = await asOwner<{ name: string }>(CLIENT_TABLES);
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    await asOwner(`create table ${name}_parted (like ${name} including all) partition by hash (client_id)`);
    await asOwner(`drop table ${name}_parted`);
  }
});

test('row-level security binds every table, its owner too, under both roles', async () => {
  const free = await asOwner(`
    select t.name from (${CLIENT_TABLES} union select 'client'::regclass, 'client') t join pg_class c on c.oid = t.oid
     where not (c.relrowsecurity and c.relforcerowsecurity)
        or (select count(*) from pg_policy p where p.polrelid = t.oid and p.polroles in
              (array['laurel_app'::regrole::oid], array['laurel_system'::regrole::oid])) <> 2`);
  expect(free).toEqual([]);
});

test('both roles have exactly the rights that are declared, on every table and view', async () => {
  const stored = await asOwner<{ name: string; role: ServiceRole; rights: string[] }>(`
    select c.relname as name, r.rolname as role,
           array(select wanted from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as wanted
                  where has_table_privilege(r.oid, c.oid, wanted)) as rights
      from pg_class c cross join pg_roles r
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and r.rolname in ('laurel_app', 'laurel_system')`);
  expect(stored.length).toBeGreaterThan(2 * 38);
  const declared = stored.map(({ name, role }) => ({ name, role, rights: rightsOf(role, name) }));
  // A migration that revokes a right has its line in src/persistence/postgres/service-roles.ts, or `laurel roles` would grant it again.
  expect(stored).toEqual(declared);
});

test('no role but the two may touch a row', async () => {
  const granted = await asOwner(`
    select distinct grantee from information_schema.role_table_grants
     where table_schema = 'public' and grantee not in ('laurel_app', 'laurel_system', current_user)`);
  expect(granted).toEqual([]);
});

test('of several processes that migrate at once one does it and the others wait', async () => {
  const url = await createDatabase(database.url, `laurel_migrate_${process.pid}`);
  try {
    const before = await pendingMigrations(url);
    expect(before.length).toBeGreaterThan(0);
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flat()).toEqual(before);
    expect(await pendingMigrations(url)).toEqual([]);
    const db = await openDatabase({ url, entities, poolMax: 1 });
    await db.systemUnitOfWork((uow) => uow.query('select from account'));
    await db.close();
  } finally {
    await dropDatabase(database.url, url);
  }
});
