// `npm run dev`: the service, restarted after each change of its files, and the console with hot reload. The database, the keys and the
// demo are in `.laurel/dev`, separate from those of `npm start`; DATABASE_URL selects another database. `npm run dev -- --inspect` passes
// its options to Node. PORT is the service's port; Ctrl-C ends everything.
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

/** PostgreSQL keeps running when the service restarts, so a restart takes about a second. */
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
    // Vite would end the process on these signals, before the service has stopped.
    process.removeAllListeners('SIGTERM');
    process.stdin.removeAllListeners('end');
    void announce(vite, databaseUrl);
    await Promise.race([interrupted, once(process, 'SIGTERM'), ended]);
    await vite.close();
  } finally {
    await stop(service);
    await database?.close();
  }
  // A console may still be waiting for the service.
  process.exit();
}

/** Starts the service in a separate process group: Ctrl-C in a terminal signals the whole group, and a second signal would kill it. */
function startService(databaseUrl: string): ChildProcess {
  const env = {
    LAUREL_DATA: data,
    DATABASE_URL: databaseUrl,
    PORT: port,
    HOST: '127.0.0.1',
    // After the demo exists, each restart would print it again.
    LAUREL_DEMO: String(!existsSync(demoFile)),
    LAUREL_MIGRATE: 'true',
    LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true',
    LAUREL_DRAIN_DELAY_MS: '0',
  };
  // SIGINT, because the service then does not wait for callers.
  const options = ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGINT', ...process.argv.slice(2)];
  return spawn(process.execPath, [...options, 'src/main.ts', 'serve'], {
    cwd: root,
    detached: true,
    stdio: 'inherit',
    // The environment of the terminal takes precedence.
    env: { ...env, ...process.env },
  });
}

/**
 * Stops the service as Ctrl-C would, and waits for it. Node's watcher ends first: it would send the service a second signal, and it ignores
 * signals while the service is down because of an error.
 */
async function stop(watcher: ChildProcess): Promise<void> {
  watcher.kill('SIGKILL');
  for (let signal: NodeJS.Signals | 0 = 'SIGINT'; signalGroup(watcher.pid!, signal); signal = 0) await sleep(50);
}

/** Signals a process group. Returns whether a process of it was running. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Prints the addresses after the first answer of the service. */
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

/** The demo, which is written soon after the first start; undefined for a database with other clients. */
async function readDemo(): Promise<Demo | undefined> {
  for (let attempt = 0; attempt < 20 && !existsSync(demoFile); attempt++) await sleep(250);
  return existsSync(demoFile) ? (JSON.parse(await readFile(demoFile, 'utf8')) as Demo) : undefined;
}
