import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBatch } from '../../src/changes/change-batch.queries.ts';
import { selectFeed } from '../../src/changes/change-feed.queries.ts';
import { numberChanges } from '../../src/changes/number-changes.ts';
import { readChanges } from '../../src/changes/read-changes.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function newFeed(): Promise<string> {
  const clientId = await newClient(database.db);
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query('insert into change_feed (client_id, keep_days) values ($1, 30)', [uow.clientId]),
  );
  return clientId;
}

function start(clientId: string, ...more: readonly string[]): ChildProcess {
  const script = join(import.meta.dirname, 'support/numbering-process.ts');
  return spawn(process.execPath, [script, database.url, clientId, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A transaction of an account; the later ones of the same account have higher values. */
const write = (clientId: string, account: number, value: number) =>
  database.db.unitOfWork(clientId, async (uow) => {
    await uow.query('select pg_advisory_xact_lock($1)', [account]);
    const json = JSON.stringify({ account, value });
    await insertBatch(uow, [{ kind: 'STOCK_LOW', json }]);
  });

async function lastNumber(clientId: string): Promise<number> {
  return (await database.db.unitOfWork(clientId, selectFeed)).number;
}

/** Everything that a reader has, page by page. */
async function readAll(clientId: string): Promise<{ readonly numbers: number[]; readonly changes: Written[] }> {
  const numbers: number[] = [];
  const changes: Written[] = [];
  for (let hasMore = true; hasMore;) {
    const after = numbers.at(-1);
    const found = await database.db.unitOfWork(clientId, (uow) =>
      readChanges(uow, { after: after === undefined ? undefined : cursors.get(after), limit: 7, kinds: new Set() }),
    );
    for (const { place, json } of found.changes) {
      numbers.push(place.number);
      cursors.set(place.number, `${place.number}-${place.mark}`);
      changes.push(JSON.parse(json) as Written);
    }
    hasMore = found.hasMore;
  }
  return { numbers, changes };
}

type Written = { readonly account: number; readonly value: number };
const cursors = new Map<number, string>();

/** Checks that a feed has each value of each account once, in order, under numbers without gaps. */
async function expectWhole(clientId: string, values: readonly number[]): Promise<void> {
  cursors.clear();
  const { numbers, changes } = await readAll(clientId);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  for (const [account, written] of values.entries()) {
    const expected = Array.from({ length: written }, (_, index) => index);
    expect(changes.filter((each) => each.account === account).map(({ value }) => value)).toEqual(expected);
  }
}

test('workers that are killed again and again lose no change, number none twice, and keep the order of accounts', async () => {
  const clientId = await newFeed();
  const killed: ChildProcess[] = [];
  const writers = [0, 1, 2].map(async (account) => {
    let value = 0;
    for (; killed.length < 4; value += 1) {
      await write(clientId, account, value);
      await sleep(5);
    }
    return value;
  });
  while (killed.length < 4) {
    const worker = start(clientId);
    const before = await lastNumber(clientId);
    while ((await lastNumber(clientId)) < before + 5) await sleep(3);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    killed.push(worker);
  }
  const values = await Promise.all(writers);
  await expect.poll(() => numberChanges(database.db, clientId), { timeout: 5_000 }).toBe('done');
  await expectWhole(clientId, values);
});

test('a worker that was frozen with the feed loses it after its time, and its return changes no number', async () => {
  const clientId = await newFeed();
  for (let value = 0; value < 10; value += 1) for (const account of [0, 1, 2]) await write(clientId, account, value);
  const worker = start(clientId, 'hold');
  await once(worker.stdout!, 'data');
  worker.kill('SIGSTOP');
  expect(await numberChanges(database.db, clientId)).toBe('busy');
  for (let value = 10; value < 20; value += 1) for (const account of [0, 1, 2]) await write(clientId, account, value);
  await expect.poll(() => numberChanges(database.db, clientId), { timeout: 10_000 }).toBe('done');
  await expectWhole(clientId, [20, 20, 20]);
  worker.kill('SIGCONT');
  const [code] = (await once(worker, 'exit')) as [number];
  expect(code).toBe(0);
  await expectWhole(clientId, [20, 20, 20]);
});
