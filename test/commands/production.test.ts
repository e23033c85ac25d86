import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { isExecutable } from '../support/is-executable.ts';
import { laurel, SECRET_KEY } from '../support/laurel.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** The time limit: starts take long on a busy machine. */
const TIMEOUT = { timeout: 60_000 };

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'laurel-production-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test(
  'with NODE_ENV=production and without a database no command makes one; each says what to set',
  TIMEOUT,
  async () => {
    const env = { NODE_ENV: 'production', LAUREL_DATA: folder };
    for (const { code, words } of await Promise.all(['serve', 'doctor'].map((command) => laurel([command], env)))) {
      expect(words).toMatch(/Set DATABASE_URL, or LAUREL_EMBEDDED_POSTGRES=true/);
      expect(code).toBe(1);
    }
    expect(await readdir(folder)).toEqual([]);
  },
);

test(
  'where the package of the embedded PostgreSQL is left out, the service runs on a database, and says so without one',
  TIMEOUT,
  async () => {
    const NODE_OPTIONS = `--import ${pathToFileURL(join(import.meta.dirname, 'without-embedded.mjs')).href}`;
    const production = { NODE_ENV: 'production', LAUREL_DATA: folder, NODE_OPTIONS };
    const [served, { code, words }] = await Promise.all([
      laurel(['serve'], { ...production, DATABASE_URL: database.url }),
      laurel(['serve'], { ...production, LAUREL_EMBEDDED_POSTGRES: 'true' }),
    ]);
    expect(served).toMatchObject({ served: true });
    expect(words).toMatch(/@embedded-postgres\/\S+ is not installed: .* Set DATABASE_URL\./);
    expect(code).toBe(1);
  },
);

test(
  'a setting that is nearly one of ours stops the start, and another unknown one is a warning in the log',
  TIMEOUT,
  async () => {
    const env = { DATABASE_URL: database.url, LAUREL_COLOUR: 'red' };
    const nearly = { ...env, LAUREL_CORS_ORIGIN: 'https://shop.example.com' };
    const [mistaken, served, doctor] = await Promise.all([
      laurel(['serve'], nearly),
      laurel(['serve', '--processes', '2'], env),
      laurel(['doctor'], env),
    ]);
    expect(mistaken.words).toContain('LAUREL_CORS_ORIGIN is no setting. Did you mean LAUREL_CORS_ORIGINS?');
    expect(mistaken).toMatchObject({ code: 1, served: false });
    expect(served.served).toBe(true);
    const lines = served.words.split('\n').filter((line) => line.includes('LAUREL_COLOUR'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        name: 'LAUREL_COLOUR',
        msg: expect.stringContaining('unknown setting'),
      }),
    ]);
    expect(doctor.words).toContain('LAUREL_COLOUR is no setting of this release');
  },
);

test(
  'the keys of a demo come into no log: where standard output is no terminal it names the file that has them',
  TIMEOUT,
  async () => {
    const empty = await testDatabase();
    const host = await startServiceProcess(empty.url, { env: { LAUREL_DATA: folder, LAUREL_DEMO: 'true' } });
    try {
      await expect
        .poll(() => host.log.some((line) => line.includes('the demo is ready')), { timeout: 30_000 })
        .toBe(true);
      const demo = await demoIn(folder);
      const log = host.log.join('\n');
      expect(log).toContain(join(folder, 'demo.json'));
      for (const name of ['apiKey', 'accessToken', 'adminPassword'] as const) {
        expect(demo[name]).toMatch(/.{12}/);
        expect(log).not.toContain(demo[name]);
      }
    } finally {
      await host.end('SIGTERM');
      await empty.drop();
    }
  },
);

const hasTerminals = process.platform === 'linux' && isExecutable('/usr/bin/script');

test.skipIf(!hasTerminals)(
  'on a terminal they are printed, for a newcomer to paste (skipped without /usr/bin/script, which makes a terminal)',
  TIMEOUT,
  async () => {
    const empty = await testDatabase();
    const child = spawn('/usr/bin/script', ['-qfec', `"${process.execPath}" "${MAIN}" serve`, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: empty.url,
        HOST: '127.0.0.1',
        PORT: '0',
        LAUREL_DATA: folder,
        LAUREL_DEMO: 'true',
        LAUREL_SECRET_KEYS: SECRET_KEY,
      },
    });
    let words = '';
    for await (const line of createInterface(child.stdout)) {
      words += `${line}\n`;
      if (line.includes('Ctrl-C stops')) break;
    }
    const demo = await demoIn(folder);
    expect(words).toContain(`Authorization: Bearer ${demo.apiKey}`);
    expect(words).toContain(`with the password ${demo.adminPassword}`);
    // Closes the terminal, and thereby ends the process in it.
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await empty.drop();
  },
);

async function demoIn(dataFolder: string) {
  type Keys = { readonly apiKey: string; readonly accessToken: string; readonly adminPassword: string };
  return JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8')) as Keys;
}
