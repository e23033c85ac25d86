import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/persistence/postgres/embedded-postgres.ts';
import { openEmbedded } from '../support/embedded.ts';
import { laurel } from '../support/laurel.ts';

// Milliseconds: servers are created and stopped.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
let data: string;

const own = (dataFolder = data) => ({ DATABASE_URL: '', LAUREL_DATA: dataFolder });
const there = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `laurel-test-${process.pid}-doctor-`));
  chmodSync(folder, 0o755);
  data = join(folder, '.laurel');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('before the first start the doctor says that there is no database, and makes none', async () => {
  const { code, words } = await laurel(['doctor'], own());
  expect({ code, words }).toEqual({ code: 0, words: expect.stringContaining('There is no database yet') });
  expect(await there(join(data, 'postgres', 'data'))).toBe(false);
});

test('the doctor looks at the embedded database while it is used, and when nobody uses it, and leaves it as it was', async () => {
  const used = await openEmbedded(data);
  // A service has connections; the last user of the server stops it.
  const user = new pg.Client({ connectionString: used.url });
  await user.connect();
  const files = (await readFile(join(data, 'postgres', 'data-directory'), 'utf8')).trim();
  for (const state of ['used', 'unused']) {
    if (state === 'unused') {
      await user.end();
      await used.close();
    }
    const { code, words } = await laurel(['doctor'], own());
    expect({ code, words }).toEqual({ code: 0, words: expect.stringContaining('All is well') });
    expect(words).toContain(files);
    expect(await there(join(files, 'postmaster.pid'))).toBe(state === 'used');
  }
});

test('a copy that was taken while PostgreSQL ran is refused, by serve and by the doctor', async () => {
  const used = await openEmbedded(data);
  const copy = join(folder, 'torn');
  await cp(data, copy, { recursive: true });
  for (const command of ['serve', 'doctor']) {
    const { code, words, served } = await laurel([command], own(copy));
    expect({ code, served }).toEqual({ code: 1, served: false });
    expect(words).toContain('was copied from');
    expect(words).toContain('docs/backup.md');
  }
  await used.close();
});

test('where the data is missing that was there, no empty database takes its place', async () => {
  await rm(join(data, 'postgres', 'data'), { recursive: true });
  for (const command of ['serve', 'doctor', 'migrate']) {
    const { code, words, served } = await laurel([command], own());
    expect({ code, served }).toEqual({ code: 1, served: false });
    expect(words).toContain('The data of this PostgreSQL is missing');
  }
  expect(await there(join(data, 'postgres', 'data'))).toBe(false);
  await rm(join(data, 'postgres'), { recursive: true });
  const anew = await startEmbeddedPostgres({ folder: join(data, 'postgres') });
  await anew.close();
});
