import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

let database: TestDatabase;
let taken: Server;
let takenPort: number;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  database = await testDatabase();
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  takenPort = (taken.address() as AddressInfo).port;
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});
afterAll(async () => {
  taken.close();
  await database.drop();
});

function serve(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      LAUREL_DATA: tmpdir(),
      LAUREL_SECRET_KEYS: Buffer.alloc(32, 'test').toString('base64'),
      ...env,
    },
  });
  started.add(child);
  return child;
}

/** The exit code and the output of a process that ends without a signal; the code is `late` if it does not end in 30 s. */
async function ended(child: ChildProcess) {
  const words = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  const [log, complaints] = await words;
  return { code: code ?? 'late', log, complaints };
}

/** The time limit: starts take long on a busy machine. */
const TIMEOUT = { timeout: 90_000 };

test.each([[['--processes', '2']], [[]]])(
  'serve %j on a port that is taken says so and exits with 1',
  TIMEOUT,
  async (args) => {
    const { code, complaints } = await ended(serve(args, { PORT: String(takenPort) }));
    expect(complaints).toMatch(/EADDRINUSE.*127\.0\.0\.1/);
    expect(code).toBe(1);
  },
);

test('processes that die as soon as they serve are replaced ever more slowly', TIMEOUT, async () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'die-young.mjs')).href;
  const child = serve(['--processes', '2'], { PORT: '0', NODE_OPTIONS: `--import ${preload}` });
  const waits: number[] = [];
  for await (const line of createInterface(child.stdout!)) {
    if (line.includes('a process ended and is replaced')) waits.push((JSON.parse(line) as { inMs: number }).inMs);
    if (waits.at(-1) === 4_000) break;
  }
  expect(waits).toEqual(expect.arrayContaining([1_000, 2_000, 4_000]));
});
