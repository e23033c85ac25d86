import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedData } from '../../src/persistence/postgres/embedded-postgres.ts';
import { isExecutable } from '../support/is-executable.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** The time to create a database and to end it, on a busy machine. */
const TIMEOUT = { timeout: 120_000 };

const hasTerminals = process.platform === 'linux' && isExecutable('/usr/bin/script');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-closed-terminal-'));
});
afterAll(async () => {
  // The data is outside the folder if the tests run as root, because PostgreSQL refuses to run as root.
  const { data } = await embeddedData(join(folder, 'postgres'));
  for (const path of [data, folder]) await rm(path, { recursive: true, force: true });
});

test.skipIf(!hasTerminals)(
  'a terminal that is closed stops the service and its own PostgreSQL, as Ctrl-C does (skipped without /usr/bin/script)',
  TIMEOUT,
  async () => {
    // `exec`: the system sends SIGHUP only to the first process of a terminal. A shell whose caller ignored SIGHUP would ignore it too, and
    // the service behind it would never receive it.
    const command = `echo pid=$$; exec "${process.execPath}" "${MAIN}" serve`;
    const terminal = spawn('/usr/bin/script', ['-qfec', command, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: environment(),
    });
    let pid = 0;
    for await (const line of createInterface(terminal.stdout)) {
      pid ||= Number(/^pid=(\d+)/.exec(line)?.[1] ?? 0);
      if (line.includes('Ctrl-C stops')) break;
    }
    const postmaster = await postmasterOf(folder);
    expect([isRunning(pid), isRunning(postmaster)]).toEqual([true, true]);

    // The other end of the terminal is closed: the system sends SIGHUP to the process in it.
    const closed = once(terminal, 'exit');
    terminal.kill('SIGKILL');
    await closed;
    await expect.poll(() => [isRunning(pid), isRunning(postmaster)], { timeout: 30_000 }).toEqual([false, false]);
  },
);

test('a service whose log nobody reads any more goes on, and stops when it is told to', TIMEOUT, async () => {
  const service = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(),
  });
  const ended = once(service, 'exit');
  let address = '';
  for await (const line of createInterface(service.stdout)) {
    address ||= /"port":(\d+),"msg":"laurel serves"/.exec(line)?.[1] ?? '';
    if (/demo is (?:ready|made)/.test(line)) break;
  }
  // Its log writes fail from now on, also the last ones during its end.
  service.stdout.destroy();
  for (let call = 0; call < 50; call++) {
    expect((await fetch(`http://127.0.0.1:${address}/healthz`)).status).toBe(200);
  }
  const postmaster = await postmasterOf(folder);
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isRunning(postmaster), { timeout: 30_000 }).toBe(false);
});

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LAUREL_DATA: folder };
}

/** The process number of the PostgreSQL that a service with its data in `path` has started. */
async function postmasterOf(path: string): Promise<number> {
  const { data } = await embeddedData(join(path, 'postgres'));
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
