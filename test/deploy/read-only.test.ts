import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';

const CHECKOUT = join(import.meta.dirname, '../..');
/** A path as `read-only.sh` shows it. */
const shown = (path: string) => (path.startsWith(`${CHECKOUT}/`) ? path.replace(CHECKOUT, '/mnt') : path);
const MAIN = '/mnt/src/main.ts';
const READ_ONLY = ['--user', '--map-root-user', '--mount', 'sh', join(import.meta.dirname, 'read-only.sh')];

const canRemount = (() => {
  try {
    execFileSync('unshare', [...READ_ONLY, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let database: TestDatabase;
let tenant: Tenant;
const started = new Set<{ kill(signal: 'SIGKILL'): boolean }>();

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await database.drop();
});

/** `laurel` as the image starts it, with a read-only filesystem and an empty /tmp. */
function laurel(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn('unshare', [...READ_ONLY, shown(process.execPath), MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The root folder, because a developer's folder may have a .laurel with keys.
    cwd: '/',
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

const KEYS = { LAUREL_SECRET_KEYS: Buffer.alloc(32, 'test').toString('base64'), LAUREL_DRAIN_DELAY_MS: '0' };

describe.skipIf(!canRemount)(
  'a read-only root file system (skipped where name spaces of mounts are not to be had)',
  () => {
    test('the place is read-only, but for /tmp', () => {
      const run = (script: string) => execFileSync('unshare', [...READ_ONLY, 'sh', '-c', script], { stdio: 'pipe' });
      expect(() => run('touch /mnt/written')).toThrow('Read-only file system');
      expect(() => run('touch /tmp/written')).not.toThrow();
    });

    test('migrations run', { timeout: 60_000 }, async () => {
      const [code] = await once(laurel(['migrate'], KEYS), 'exit');
      expect(code).toBe(0);
    });

    test.each(['1', '2'])('%s process(es) serve, write no file, and end', { timeout: 120_000 }, async (processes) => {
      const child = laurel(['serve', '--processes', processes], KEYS);
      const exited = once(child, 'exit');
      const { promise: port, resolve, reject } = Promise.withResolvers<number>();
      void exited.then(([code]) => reject(new Error(`It ended with ${code}.`)));
      createInterface(child.stdout).on('line', (line) => {
        const entry = JSON.parse(line) as { msg: string; port: number };
        if (entry.msg === 'laurel serves') resolve(entry.port);
      });
      const baseUrl = `http://127.0.0.1:${await port}`;
      const rest = restAs(baseUrl, tenant);
      expect(await rest('GET', '/readyz')).toMatchObject({ status: 200 });
      expect((await fetch(`${baseUrl}/console`)).status).toBe(200);
      expect(await rest('POST', '/accounts/resolve', { externalId: `of-${processes}` })).toMatchObject({ status: 200 });
      expect(await readdir(`/proc/${child.pid}/root/tmp`)).toEqual([]);
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    });

    test('without keys for secrets the start fails, and says what to set', { timeout: 60_000 }, async () => {
      const child = laurel(['serve']);
      const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      expect(code).toBe(1);
      expect(output + errors).toContain('LAUREL_SECRET_KEYS');
    });
  },
);
