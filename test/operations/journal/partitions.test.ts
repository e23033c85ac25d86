import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import {
  clientsWithStrayEntries,
  indexJournal,
  maintainJournalPartitions,
  removeStrayEntries,
} from '../../../src/journal/maintain-partitions.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { journalOf } from './fixture.ts';

const DAY = 86_400_000;

let service: TestService;
let journal: ReturnType<typeof journalOf>;

beforeAll(async () => {
  service = await startService();
  journal = journalOf(service);
  // The schema that this database was copied from may be of yesterday, and have yesterday's table.
  await keep(0);
  await newGame(service, { missions: [{ target: 1_000 }] });
});
afterAll(() => service.close());

const dayOf = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const tableOf = (days: number) => `journal_batch_${dayOf(days).replaceAll('-', '')}`;
/** Statements as the login that migrated, which owns the tables. */
const asOwner = (sql: string) =>
  service.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    return uow.query<{ name: string }>(sql);
  });
const partitions = async () =>
  (
    await asOwner(`select inhrelid::regclass::text as name from pg_inherits
                    where inhparent = 'journal_batch'::regclass order by 1`)
  ).map(({ name }) => name);
/** Statements as the role of housekeeping, which owns no tables. */
const keep = (days: number) => service.db.systemUnitOfWork((uow) => maintainJournalPartitions(uow, days));
const addDay = (days: number) =>
  asOwner(`create table ${tableOf(days)} partition of journal_batch
           for values from ('${dayOf(days)} 00:00+00') to ('${dayOf(days + 1)} 00:00+00')`);
const record = (recordedAt: string, clientId = service.clientId) =>
  service.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into journal_batch (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, entries)
       values ($1, $2::timestamptz, $3, '{null}', '{OLD}', '{1}', '{}', '[[0, 0, 1, 0, 0, 0, 0]]')`,
      [clientId, recordedAt, newId()],
    ),
  );
const old = () => journal.entries({ programmaticCode: 'OLD' });

test('days that are over go with their entries, as the role of housekeeping, and the others stay', async () => {
  for (const days of [-9, -8, -7, -1]) {
    await addDay(days);
    await record(`${dayOf(days)}T12:00:00Z`);
  }
  expect(await keep(7)).toBe(2);
  expect((await old()).map(({ recordedAt }) => recordedAt.slice(0, 10))).toEqual([dayOf(-1), dayOf(-7)]);
  expect(await keep(7)).toBe(0);
  expect(await keep(0)).toBe(2);
  expect(await old()).toEqual([]);
});

test('days to come are there before they begin, with everything that keeps clients apart', async () => {
  await asOwner(`drop table ${tableOf(3)}`);
  expect(await keep(7)).toBe(1);
  expect(await partitions()).toContain(tableOf(3));
  await record(`${dayOf(3)}T12:00:00Z`);
  const other = await service.newTenant();
  const seenBy = (clientId: string) =>
    service.db.unitOfWork(clientId, (uow) => uow.query(`select id from ${tableOf(3)}`));
  expect(await seenBy(service.clientId)).toHaveLength(1);
  expect(await seenBy(other.clientId)).toEqual([]);
  await expect(
    service.db.unitOfWork(service.clientId, (uow) => uow.query('select keep_journal_partitions(0, 0)')),
  ).rejects.toThrow();
});

test('what is added waits to be indexed and is found meanwhile; housekeeping indexes it, of new days as well', async () => {
  const index = () => service.db.systemUnitOfWork(indexJournal);
  await index();
  await asOwner(`drop table ${tableOf(4)}`);
  await keep(7);
  expect(await index()).toBe(1);
  const waiting = async () => {
    const [row] = await asOwner(`select sum(gin_clean_pending_list(inhrelid))::text as name
      from pg_inherits where inhparent = 'journal_batch_search'::regclass`);
    return Number(row!.name);
  };
  const account = async (name: string) => (await journal.emitAndReadEntry('LOGIN', name)).accountId!;
  const found = async (accountId: string) => (await journal.entries({ accountId })).length;
  const [gil, ines] = [await account('gil'), await account('ines')];
  expect([await found(gil), await waiting(), await found(gil)]).toEqual([1, 1, 1]);
  await account('ines');
  expect(await index()).toBe(0);
  expect([await waiting(), await found(ines)]).toEqual([0, 2]);
});

test('an event of a day without a partition is recorded, and its entry goes when its time is up', async () => {
  // Housekeeping has not run for a long time, or the clock of the database is far ahead.
  await asOwner(`drop table ${tableOf(0)}`);
  const entry = await journal.emitAndReadEntry('LOGIN', 'ada');
  expect(entry.effect).toBe('PROGRESSED');
  expect(await keep(7)).toBe(0);
  expect(await partitions()).not.toContain(tableOf(0));
  expect((await journal.emitAndReadEntry('LOGIN', 'ada')).missions[0]).toMatchObject({ progress: 2 });

  await record(`${dayOf(-40)}T12:00:00Z`);
  const strays = () => service.db.systemUnitOfWork((uow) => clientsWithStrayEntries(uow, 7));
  expect(await strays()).toEqual([service.clientId]);
  expect(await removeStrayEntries(service.db, service.clientId, 7, new Date())).toBe(1);
  expect(await strays()).toEqual([]);
  expect(await journal.entries({ programmaticCode: 'LOGIN' })).toHaveLength(2);
});

test('a day that somebody reads is left for the next time, and events go on', async () => {
  await addDay(-20);
  let release = () => {};
  const reader = service.db.systemUnitOfWork(async (uow) => {
    await uow.query(`select count(*) from ${tableOf(-20)}`);
    await new Promise<void>((resolve) => (release = resolve));
  });
  await expect
    .poll(
      async () =>
        (await asOwner(`select relation::text as name from pg_locks where relation = '${tableOf(-20)}'::regclass`))
          .length,
    )
    .toBeGreaterThan(0);
  const kept = keep(7);
  expect((await journal.emitAndReadEntry('LOGIN', 'bea')).effect).toBe('PROGRESSED');
  expect(await kept).toBe(0);
  release();
  await reader;
  expect(await keep(7)).toBe(1);
});

test('a service that keeps no journal writes none', async () => {
  const quiet = await startService({ journal: false });
  try {
    await newGame(quiet, { missions: [{ target: 9 }] });
    const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL', metadata: {} };
    expect((await quiet.rest('POST', '/gamification/triggers', event)).status).toBe(200);
    expect(await journalOf(quiet).entries()).toEqual([]);
  } finally {
    await quiet.close();
  }
});
