import { expect, test } from 'vitest';
import { refusalsOf, tablesMadeBy } from '../../.ci/migration-rules.ts';

const rolling = { compatibility: { rolling: true } } as const;
const up = (...sql: string[]) => refusalsOf({ ...rolling, up: sql });
const step = (sql: string) => refusalsOf({ ...rolling, up: [], steps: [{ sql }] });

test.each([
  ['an index that is not built concurrently', 'create index "a" on "account" ("client_id", "name")'],
  ['a unique one', 'create unique index "a" on "account" ("client_id", "name")'],
  ['a constraint that reads all rows', `alter table "account" add constraint "a" check (name <> '')`],
  ['a foreign key', 'alter table "account" add constraint "a" foreign key ("client_id") references "client" ("id")'],
  ['a unique key', 'alter table "account" add constraint "a" unique ("client_id", "name")'],
  ['a column that may no longer be null', 'alter table "account" alter column "name" set not null'],
  ['another type', 'alter table "account" alter column "name" type varchar(10)'],
  ['another type, with more words', 'alter table "account" alter "name" set data type varchar(10)'],
  ['a column without which the older release writes', 'alter table "account" add "nickname" text not null'],
  ['a default that differs by row', 'alter table "account" add "token" uuid not null default gen_random_uuid()'],
  ['a lock', 'lock table account in exclusive mode'],
  ['a lock of several', 'lock table client, account in exclusive mode'],
  ['an update of all rows', `set local role laurel_system; update account set name = ''; set local role none`],
  ['an update in a block', `do $$ begin update account set name = ''; end $$`],
  ['a deletion', 'delete from account where name is null'],
  ['a trigger', 'create trigger a after insert on account for each row execute function a()'],
  ['an index that is written anew under a lock', 'reindex table account'],
  ['another name of any table', 'alter table "client" rename to "tenant"'],
  ['another name of a column', 'alter table "client" rename column "name" to "title"'],
  ['another name of an index', 'alter index account_name_search rename to other'],
  ['a column that goes', 'alter table "client" drop column "name"'],
  ['a column that goes, with fewer words', 'alter table "client" drop "name"'],
  ['a table that goes', 'drop table "client"'],
])('a migration is refused for %s: %s', (_what, sql) => {
  expect(up(sql)).toHaveLength(1);
  expect(step(sql)).toHaveLength(1);
});

test.each([
  ['a column that may be null', 'alter table "account" add "nickname" text null'],
  ['several of them', 'alter table "account" add "nickname" text null, add column if not exists "age" int'],
  ['a column with a constant', `alter table "account" add "kind" text not null default 'PLAIN'`],
  ['a constraint that reads no row', `alter table "account" add constraint "a" check (name <> '') not valid`],
  [
    'a wider one',
    `alter table "account" drop constraint if exists "a", add constraint "a" check (name <> '') not valid`,
  ],
  ['a setting', 'alter table "account" alter column "client_id" set (n_distinct = 1)'],
  ['an index of a small table', 'create index "a" on "client" ("name")'],
  ['an update of a small table', `update client set name = ''`],
  ['a default', `alter table "account" alter column "name" set default ''`],
])('a migration may bring %s: %s', (_what, sql) => {
  expect(up(sql)).toEqual([]);
  expect(step(sql)).toEqual([]);
});

test('a table that the migration makes may have anything', () => {
  const table = 'create table "webhook_retry" ("client_id" uuid not null)';
  expect(
    up(table, 'create index "a" on "webhook_retry" ("client_id")', 'alter table "webhook_retry" drop "b"'),
  ).toEqual([]);
});

test('two large tables may not be locked in one transaction, but in two', () => {
  const sql = (table: string) => `alter table "${table}" add "nickname" text null`;
  expect(up(sql('account'), sql('earned_reward'))).toEqual([expect.stringContaining('deadlocks')]);
  const steps = [{ sql: sql('account') }, { sql: sql('earned_reward') }];
  expect(refusalsOf({ ...rolling, steps, up: [] })).toEqual([]);
});

test('words that the older release does not know need a note', () => {
  const drop = `alter table "reward" drop constraint "a"`;
  const add = (words: string) => `alter table "reward" add constraint "a" check ("type" in (${words}))`;
  const noted = { compatibility: { rolling: true, note: 'Create none before.' } } as const;
  expect(up(drop, add(`'POINTS', 'BADGE'`))).toEqual([expect.stringContaining('note')]);
  expect(step(`${drop}, add constraint "a" check ("type" in ('BADGE')) not valid`)).toHaveLength(1);
  expect(refusalsOf({ ...noted, up: [drop, add(`'POINTS', 'BADGE'`)] })).toEqual([]);
  expect(up(add(`'POINTS'`))).toEqual([]);
});

test('slices have a limit', () => {
  const slices = `update account set name = '' where id in (select id from account where name is null`;
  expect(refusalsOf({ ...rolling, steps: [{ slices: `${slices})` }], up: [] })).toHaveLength(1);
  expect(refusalsOf({ ...rolling, steps: [{ slices: `${slices} limit 1000)` }], up: [] })).toEqual([]);
});

test('whether an older release may serve beside it has to be said, and only one that has stopped may be locked out', () => {
  const lock = { up: ['lock table account'], locks: 'a reason' };
  expect(refusalsOf({ up: [] })).toEqual([expect.stringContaining('rolling: true')]);
  expect(refusalsOf({ ...rolling, ...lock })).toEqual([expect.stringContaining('stops')]);
  expect(refusalsOf({ compatibility: { rolling: false, reason: 'a reason' }, ...lock })).toEqual([]);
});

test('a table that no release has may change as it likes, because no host of the last release uses it', () => {
  const change = ['update webhook_retry set tries = 0', 'alter table webhook_retry drop column tries'];
  expect(refusalsOf({ ...rolling, up: change }, new Set())).toHaveLength(2);
  const made = tablesMadeBy(['CREATE TABLE "webhook_retry" ("tries" int not null);']);
  expect(refusalsOf({ ...rolling, up: change }, made)).toEqual([]);
});
