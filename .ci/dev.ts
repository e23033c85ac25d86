// `npm run dev`: the service, started again whenever a file of it changes, and the console with hot reload. The database,
// the keys and the demo are kept in `.laurel/dev`, apart from those of `npm start`; DATABASE_URL takes another database.
// `npm run dev -- --inspect` hands its options to Node. PORT is the service's port; Ctrl-C ends everything.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type ViteDevServer } from 'vite';
import type { Demo } from '../src/commands/demo.ts';
import { startEmbeddedPostgres } from '../src/persistence/postgres/embedded-postgres.ts';

const root = join(import.meta.dirname, '..');
const data = process.env['LAUREL_DATA'] || join(root, '.laurel', 'dev');
const demoFile = join(data, 'demo.json');
const port = process.env['PORT'] || '8080';
const serviceUrl = `http://127.0.0.1:${port}`;

await develop();

/** The PostgreSQL outlives the restarts of the service, which therefore take about a second. */
async function develop(): Promise<void> {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGHUP')]);
  const given = process.env['DATABASE_URL'];
  const database = given ? undefined : await startEmbeddedPostgres({ folder: join(data, 'postgres') });
  const databaseUrl = given || database!.url;
  const service = startService(databaseUrl);
  const ended = once(service, 'exit');
  try {
    const vite = await createServer({ configFile: join(root, 'src/console/vite.config.ts'), clearScreen: false });
    await vite.listen();
    // At these Vite would end the process, before the service has stopped.
    process.removeAllListeners('SIGTERM');
    process.stdin.removeAllListeners('end');
    void announce(vite, databaseUrl);
    await Promise.race([interrupted, once(process, 'SIGTERM'), ended]);
    await vite.close();
  } finally {
    await stop(service);
    await database?.close();
  }
  // A console that waits for the service may still be asking.
  process.exit();
}

/** In a process group of its own: a terminal's Ctrl-C goes to the whole group, and a second signal would kill the service. */
function startService(databaseUrl: string): ChildProcess {
  const env = {
    LAUREL_DATA: data,
    DATABASE_URL: databaseUrl,
    PORT: port,
    HOST: '127.0.0.1',
    // Once there is a demo, each restart would announce it again.
    LAUREL_DEMO: String(!existsSync(demoFile)),
    LAUREL_MIGRATE: 'true',
    LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true',
    LAUREL_DRAIN_DELAY_MS: '0',
  };
  // SIGINT, because the service then waits for no caller.
  const options = ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGINT', ...process.argv.slice(2)];
  return spawn(process.execPath, [...options, 'src/main.ts', 'serve'], {
    cwd: root,
    detached: true,
    stdio: 'inherit',
    // What is set in the terminal counts.
    env: { ...env, ...process.env },
  });
}

/**
 * Stops the service as Ctrl-C would, and waits for it. Node's watcher goes first: it would send the service a second signal, and
 * it does not end by a signal while the service is down because of an error.
 */
async function stop(watcher: ChildProcess): Promise<void> {
  watcher.kill('SIGKILL');
  for (let signal: NodeJS.Signals | 0 = 'SIGINT'; signalGroup(watcher.pid!, signal); signal = 0) await sleep(50);
}

/** Whether any process of the group was there to get the signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Says where everything is, once the service has answered for the first time. */
async function announce(vite: ViteDevServer, databaseUrl: string): Promise<void> {
  while (!(await isReady())) await sleep(250);
  const demo = await readDemo();
  const signIn = demo
    ? `Sign in as ${demo.adminEmail} with the password ${demo.adminPassword}`
    : 'There is no demo, because the database has clients of its own.';
  console.log(`
Service   ${serviceUrl} starts again when a file of it changes.
Console   ${vite.resolvedUrls?.local[0]} shows changes at once. ${signIn}
Database  ${databaseUrl}
Keys are in ${demoFile}. Ctrl-C stops.
`);
}

async function isReady(): Promise<boolean> {
  return fetch(`${serviceUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The demo is written down soon after the first start; a database that has other clients gets none. */
async function readDemo(): Promise<Demo | undefined> {
  for (let attempt = 0; attempt < 20 && !existsSync(demoFile); attempt++) await sleep(250);
  return existsSync(demoFile) ? (JSON.parse(await readFile(demoFile, 'utf8')) as Demo) : undefined;
}
