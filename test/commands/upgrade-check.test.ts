// The commands of docs/upgrading.md on a database of 0.1.0, before and after this release has migrated it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { releasedDatabase } from '../support/released-database.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Milliseconds: each command starts a process. */
const TIMEOUT = { timeout: 120_000 };

/** The output of a command, and its exit status. */
type Output = { readonly status: number; readonly text: string };

let released: Awaited<ReturnType<typeof releasedDatabase>>;
let withStock: Output;
let withoutStock: Output;
/** The resources with a stock in the database of 0.1.0, read as its owner. */
let stocked: string[];

function laurel(url: string, command: string, folder = ROOT): Promise<Output> {
  const env = { PATH: process.env.PATH, DATABASE_URL: url, LAUREL_DATA: tmpdir() };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'src/main.ts'), command], { env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, text: stdout + stderr });
    });
  });
}

beforeAll(async () => {
  released = await releasedDatabase('v0.1.0', {
    async prepare(client) {
      const url = new URL(inject('templateUrl'));
      const { rows } = await client.query<{ name: string }>('select current_database() as name');
      url.pathname = `/${rows[0]!.name}`;
      withStock = await laurel(url.href, 'upgrade-check');
      const products = await client.query<{ id: string; name: string; mode: string; client: string; owner: string }>(
        `select p.id, p.name, p.stock_mode as mode, c.id as client, c.name as owner
           from product p join client c on c.id = p.client_id where p.stock_mode <> 'UNLIMITED' order by c.name, c.id, p.name, p.id`,
      );
      stocked = products.rows.map(
        ({ id, name, mode, client: of, owner }) =>
          `product ${id} ${JSON.stringify(name)}, ${mode}, of the client ${of} ${JSON.stringify(owner)}`,
      );
      await client.query(`update product set stock_mode = 'UNLIMITED', stock = 0`);
      withoutStock = await laurel(url.href, 'upgrade-check');
    },
  });
}, 120_000);
afterAll(() => released.database.drop());

const check = () => laurel(released.database.url, 'upgrade-check');

/** Removes the future migration from the list. */
async function removeFuture(): Promise<void> {
  const client = new pg.Client({ connectionString: released.database.url });
  await client.connect();
  await client.query(`delete from migration where name like '2999%'`);
  await client.end();
}

/** Adds a migration of an unknown later release to the database. */
async function ofTheFuture(rolling: boolean | null): Promise<void> {
  await removeFuture();
  const client = new pg.Client({ connectionString: released.database.url });
  await client.connect();
  await client.query(`insert into migration (name, rolling) values ('29990101000000-future', $1)`, [rolling]);
  await client.end();
}

test('where products have a stock, hosts of 0.1.0 have to stop, and it says why', () => {
  expect(withStock).toMatchObject({
    status: 3,
    text: expect.stringMatching(/STOP .*-allocation\n.*stocks would not add/),
  });
  expect(withStock.text).toContain('stop every host of 0.1.0');
});

test('the products in the way are named once each, with their clients, and none where there is none', () => {
  const named = withStock.text
    .split('In the way:\n')[1]!
    .split('\n')
    .filter((line) => line.startsWith('      '));
  expect(named.map((line) => line.trim())).toEqual(stocked);
  expect(stocked.length).toBeGreaterThan(0);
  expect(withoutStock.text).not.toContain('In the way');
});

test(
  'where none has one, a rolling update is possible, and it says what to know meanwhile, of operation ids too',
  TIMEOUT,
  async () => {
    expect(withoutStock).toMatchObject({ status: 0, text: expect.stringContaining('A rolling update is possible') });
    expect(withoutStock.text).not.toContain('STOP');
    expect(withoutStock.text).toMatch(/-operation-refusals\n.*operation id/);
    // The same on the way back.
    expect(await check()).toMatchObject({
      status: 0,
      text: expect.stringContaining('has the migrations of this release'),
    });
  },
);

test(
  'a database of a newer release may be served where that says so, and else the start is refused',
  TIMEOUT,
  async () => {
    await ofTheFuture(true);
    expect(await check()).toMatchObject({ status: 0, text: expect.stringContaining('may serve it as well') });
    expect((await laurel(released.database.url, 'doctor')).text).toMatch(
      /warning +migrations +The database belongs to a newer/,
    );
    for (const rolling of [false, null]) {
      await ofTheFuture(rolling);
      expect(await check()).toMatchObject({ status: 3, text: expect.stringContaining('STOP  29990101000000-future') });
      expect((await laurel(released.database.url, 'doctor')).text).toMatch(
        /FAULT +migrations +The database belongs to a newer/,
      );
    }
  },
);

/** A release after this one in a separate folder: these sources with a migration that adds a column. */
async function nextRelease(rolling: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-next-'));
  for (const part of ['src', 'gen', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const declared = rolling ? '{ rolling: true }' : `{ rolling: false, reason: 'Notes are read by nobody else.' }`;
  const name = `299901020000${rolling ? '00' : '01'}-note`;
  await writeFile(
    join(folder, `src/persistence/migrations/${name}.ts`),
    `import { Migration } from '@mikro-orm/migrations';
     export const compatibility = ${declared};
     export class Note extends Migration {
       override up(): void { this.addSql('alter table client add column if not exists note text null'); }
     }`,
  );
  return folder;
}

test(
  'a schema that a newer release has really made: the newer says what stops, and this one goes on where it may',
  { timeout: 240_000 },
  async () => {
    for (const rolling of [true, false]) {
      await removeFuture();
      const next = await nextRelease(rolling);
      try {
        const { url } = released.database;
        const before = await laurel(url, 'upgrade-check', next);
        expect(before.text).toContain('1 migration is to be applied');
        expect(before).toMatchObject({ status: rolling ? 0 : 3 });
        expect(await laurel(url, 'migrate', next)).toMatchObject({ status: 0 });
        expect(await check()).toMatchObject({ status: rolling ? 0 : 3 });
        const finding = rolling
          ? /warning +migrations +The database belongs/
          : /FAULT +migrations +The database belongs/;
        expect((await laurel(url, 'doctor')).text).toMatch(finding);
        // The newer release describes both ways, and does not ask for a migration that it has.
        const after = await laurel(url, 'upgrade-check', next);
        expect(after).toMatchObject({ status: rolling ? 0 : 3 });
        if (!rolling) expect(after.text).toContain('stop every host of this release');
        if (!rolling) expect(after.text).not.toContain('laurel migrate');
      } finally {
        await rm(next, { recursive: true });
      }
    }
  },
);

test('where there is no Laurel it says so, and is neither of the two answers', TIMEOUT, async () => {
  const url = new URL(released.database.url);
  url.pathname = '/postgres';
  expect(await laurel(url.href, 'upgrade-check')).toMatchObject({
    status: 1,
    text: expect.stringContaining('no Laurel'),
  });
});

test('the page names the commands that there are, and every exit status', () => {
  const page = readFileSync(join(ROOT, 'docs/upgrading.md'), 'utf8');
  const commands = [...page.matchAll(/npm run laurel -- ([a-z-]+)/g)].map(([, command]) => command);
  expect(new Set(commands)).toEqual(new Set(['upgrade-check', 'migrate', 'doctor', 'verify']));
  for (const status of [0, 1, 3]) expect(page).toContain(`| ${status} `);
});
