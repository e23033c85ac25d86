// docs/guide/warehouse.md followed from an empty folder and an empty database. Then its programs keep a copy in hostile worlds.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../packages/python/installed.ts';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { programsFolder, WITHOUT_PROGRAMS } from '../support/server-programs.ts';
import { noteStarted } from '../support/started-processes.ts';
import { blocksOf } from './support/page.ts';
import { expectPrinted, stepsOf } from './support/page-steps.ts';
import { followPage, hasDuckDb } from './support/warehouse-copy.ts';

const run = promisify(execFile);
const page = readFileSync(join(root, 'docs/guide/warehouse.md'), 'utf8');
const [ofPostgres = '', ofDuckDb = ''] = page.split(/^(?=## DuckDB$)/m);
const steps = stepsOf(blocksOf(hasDuckDb ? page : ofPostgres));

if (programsFolder === undefined) console.warn(WITHOUT_PROGRAMS);
if (!hasDuckDb)
  console.warn('The part about DuckDB is left out: .ci/clients/python-duckdb.txt has no wheel for this machine.');

test('both parts of the page have steps', () => {
  expect(stepsOf(blocksOf(ofPostgres)).length).toBeGreaterThan(8);
  expect(stepsOf(blocksOf(ofDuckDb)).length).toBeGreaterThan(3);
});

describe.skipIf(programsFolder === undefined)('a copy in a warehouse', { timeout: 120_000 }, () => {
  let copy: Awaited<ReturnType<typeof followPage>>;
  beforeAll(async () => {
    copy = await followPage(steps);
  }, 180_000);
  afterAll(() => copy?.close());

  test.each(steps.flatMap(({ expected }, index) => (expected ? [[index, expected] as const] : [])))(
    'the block %i prints the answer of the page',
    (index, expected) => expectPrinted(copy.printed[index]!, expected),
  );

  const newAccount = async (): Promise<string> => (await copy.post('/accounts')).id;
  const give = (id: string, amount: number) =>
    copy.post(`/admin/accounts/${id}/points/adjust`, { amount, reason: 'test' });
  const visit = async (accountId: string) => {
    for (const day of [1, 2, 3]) {
      const event = { programmaticCode: 'LOGIN', accountId, operationId: `${accountId} ${day}` };
      await copy.post('/gamification/triggers', event);
    }
  };
  const merge = (from: string, intoAccountId: string, operationId: string) =>
    copy.post(`/accounts/${from}/merge`, { progress: 'MAX', idType: 'INTERNAL', intoAccountId, operationId });

  /** The numbers of the loaded changes, in the order of the copy. */
  const numbers = async () =>
    (await copy.rows()).changes.map(({ cursor }) => Number((cursor as string).replace(/-.*/, '')));

  test('a page that is loaded twice, also behind a later one, changes nothing', async () => {
    const accountId = await newAccount();
    await visit(accountId);
    const first = await copy.pageFile();
    await copy.loadFile(first);
    const once = await copy.rows();
    expect(once.changes.at(-1)!['cursor']).toBe(once.feed[0]!['cursor']);
    await copy.loadFile(first);
    expect(await copy.rows()).toEqual(once);
    await give(accountId, 3);
    await copy.loadFile(await copy.pageFile());
    const later = await copy.rows();
    expect(later.entries.length).toBe(once.entries.length + 1);
    await copy.loadFile(first);
    expect(await copy.rows()).toEqual(later);
    await copy.expectSame();
  });

  test('a load that is killed half-way leaves nothing, and the next one loads everything', async () => {
    await visit(await newAccount());
    const before = await copy.rows();
    const other = new pg.Client({ connectionString: copy.warehouse });
    await other.connect();
    await other.query('begin; lock table laurel.earned_reward in exclusive mode');
    const child = spawn(
      ...copy.loadOf(await copy.pageFile(), 'exec psql "$WAREHOUSE" -Xq -v after="$AFTER" -f load.sql < "$FILE"'),
    );
    noteStarted(child);
    const sessions = (state: string) =>
      copy.asked(`select 1 from pg_stat_activity
              where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and ${state}`);
    // Its changes and entries are written then.
    await expect
      .poll(() => sessions(`wait_event_type = 'Lock' and query like '%insert into laurel.earned%'`))
      .toHaveLength(1);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    await other.end();
    await expect.poll(() => sessions('true')).toEqual([]);
    expect(await copy.rows()).toEqual(before);
    await copy.program('load.sh');
    expect((await copy.rows()).changes.length).toBeGreaterThan(before.changes.length);
    await copy.expectSame();
  });

  test('a page that was cut off, between lines or within one, is refused whole', async () => {
    await visit(await newAccount());
    const before = await copy.rows();
    const whole = await copy.pageFile();
    const text = await readFile(whole.file, 'utf8');
    const lines = text.trimEnd().split('\n');
    for (const part of [`${lines.slice(0, -1).join('\n')}\n`, text.slice(0, -40), lines[0]!.slice(0, 50), '']) {
      await writeFile(whole.file, part);
      await expect(copy.loadFile(whole)).rejects.toThrow(/null value|invalid input syntax/);
      expect(await copy.rows()).toEqual(before);
    }
    await copy.program('load.sh');
    await copy.expectSame();
  });

  test('loads at the same time, some of them killed, load every change once', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, newAccount));
    const write = async () => {
      for (let round = 1; round <= 12; round += 1)
        for (const id of accounts) await give(id, round % 3 === 0 ? -0.1 : round / 10);
    };
    const read = async () => {
      for (let round = 0; round < 4; round += 1) {
        const killed = spawn('bash', ['load.sh'], { cwd: copy.folder, env: copy.env });
        noteStarted(killed);
        const exit = once(killed, 'exit');
        await Promise.all([copy.program('load.sh'), copy.program('load.sh')]);
        killed.kill('SIGKILL');
        await exit;
      }
    };
    const begun = (await numbers()).at(-1)!;
    await Promise.all([write(), read()]);
    await copy.program('load.sh');
    await copy.expectSame();
    const loaded = (await numbers()).filter((number) => number > begun);
    expect(loaded).toEqual(Array.from({ length: 48 }, (_, index) => begun + 1 + index));
  });

  test('after merges, an undo and a settled wait the rewards of each account are those of the service', async () => {
    const [guest, member, chief] = [await newAccount(), await newAccount(), await newAccount()];
    const product = await copy.post('/admin/products', { name: 'Shirt', stockMode: 'COUNTED', stock: 1 });
    const shirt = { name: 'A shirt', type: 'PRODUCTS', amount: 1, productId: product.id };
    const rewardIds = [(await copy.post('/admin/rewards', shirt)).id];
    const missions = [{ programmaticCode: 'WIN', rewardIds }];
    await newGame(copy, { codes: { WIN: 'SINGLE' }, missions });
    for (const accountId of [guest, member, chief]) {
      await visit(accountId);
      await copy.post('/gamification/triggers', { programmaticCode: 'WIN', accountId });
    }
    await copy.expectRewards(guest, member, chief);
    const { mergeId } = await merge(guest, member, `${guest} 1`);
    await copy.expectSame();
    await copy.expectRewards(member, chief);
    await copy.post(`/accounts/${guest}/merges/${mergeId}/undo`, { operationId: `${guest} 2` });
    await copy.expectSame();
    await copy.expectRewards(guest, member, chief);
    await merge(guest, member, `${guest} 3`);
    const path = `/admin/products/${product.id}/pending-rewards/paginated?limit=9&page=1`;
    const { rows: waiting } = await ok(copy.rest('GET', path));
    expect(waiting).toHaveLength(2);
    await copy.post(`/admin/earned-rewards/${waiting[0].id}/cancel`, { reason: 'test' });
    await copy.post(`/admin/products/${product.id}/stock`, { quantity: 1 });
    await copy.expectRewards(member, chief);
    await merge(member, chief, member);
    await copy.expectRewards(chief);
    const ofOthers = `select 1 from laurel.reward_of_survivor where account_id in ('${guest}', '${member}')`;
    expect(await copy.asked(ofOthers)).toEqual([]);
    await copy.expectSame();
  });

  test('an erased account is in no table, also if a page from before the erasure is loaded after it', async () => {
    const [guest, member, friend] = [await newAccount(), await newAccount(), await newAccount()];
    for (const id of [guest, member, friend]) await visit(id);
    await merge(guest, member, guest);
    await copy.program('load.sh');
    await give(member, 2);
    await give(friend, 2);
    const late = await copy.pageFile();
    expect(await readFile(late.file, 'utf8')).toContain(member);
    await copy.program('erase.sh', guest);
    await copy.loadFile(late);
    const text = JSON.stringify(await copy.rows());
    expect(text).not.toContain(guest);
    expect(text).not.toContain(member);
    expect(text).toContain(friend);
    await copy.expectSame();
    await copy.program('first-copy.sh');
    expect(JSON.stringify(await copy.rows())).not.toContain(member);
    await copy.expectSame();
  });

  test('an id that was merged before the first copy erases the survivor as well', async () => {
    const [guest, member] = [await newAccount(), await newAccount()];
    await visit(member);
    await merge(guest, member, guest);
    await copy.program('first-copy.sh');
    expect(JSON.stringify(await copy.rows())).toContain(member);
    await copy.program('erase.sh', guest);
    await copy.program('erase.sh', guest);
    expect(JSON.stringify(await copy.rows())).not.toContain(member);
    await copy.expectSame();
  });

  test('a first copy while points move, by pages of two entries, has the balances of the service', async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, newAccount));
    const write = async () => {
      for (let round = 1; round <= 15; round += 1) for (const id of accounts) await give(id, round / 10);
    };
    await write();
    const text = await readFile(join(copy.folder, 'first-copy.sh'), 'utf8');
    expect(text).toContain('limit=1000');
    await writeFile(join(copy.folder, 'small-pages.sh'), text.replace('limit=1000', 'limit=2'));
    await Promise.all([copy.program('small-pages.sh'), write()]);
    await copy.expectSame();
    for (const id of accounts)
      expect(await copy.asked(`select 1 from laurel.point_entry where account_id = '${id}'`)).toHaveLength(30);
  });

  test('a comparison names an account whose entry is missing, and a first copy mends it', async () => {
    const id = await newAccount();
    await give(id, 4);
    await copy.program('load.sh');
    await copy.asked(`delete from laurel.point_entry where account_id = '${id}'`);
    expect(await copy.program('compare.sh')).toBe(`account_id,copy,service\n${id},0,4\n`);
    await copy.program('first-copy.sh');
    await copy.expectSame();
  });

  test.skipIf(!hasDuckDb)('DuckDB refuses a page that was cut off, and appends the whole one once', async () => {
    const append = (url: string) =>
      run('python3', ['append.py'], { cwd: copy.folder, env: { ...copy.env, LAUREL_URL: url } });
    const before = (await append(copy.baseUrl)).stdout;
    await visit(await newAccount());
    const { file } = await copy.pageFile();
    const text = await readFile(file, 'utf8');
    const cut = createServer((_request, response) => response.end(text.replace(/.*\n$/, ''))).listen(0, '127.0.0.1');
    await once(cut, 'listening');
    const { port } = cut.address() as AddressInfo;
    await expect(append(`http://127.0.0.1:${port}`)).rejects.toThrow('NOT NULL constraint failed: feed.cursor');
    cut.close();
    const after = (await append(copy.baseUrl)).stdout;
    expect(after.split(' ').map(Number)).toEqual([1, 100].map((more, at) => more + Number(before.split(' ')[at])));
    expect((await append(copy.baseUrl)).stdout).toBe(after);
  });
});
