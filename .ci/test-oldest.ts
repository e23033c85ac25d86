// `npm run test:oldest`: the tests on the oldest supported PostgreSQL, if this machine has it, on a temporary server.
// LAUREL_OLDEST_POSTGRES names the folder of its programs, if it is elsewhere. Files as arguments select tests. Tests with their own
// servers use this release as well, instead of the newest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OLDEST_MAJOR } from '../src/persistence/checks/server.check.ts';
import { freePort } from '../test/support/free-port.ts';
import { ask, makeServer, programsOf, serverFolder } from '../test/support/server-programs.ts';

const programs = programsOf(OLDEST_MAJOR, [process.env.LAUREL_OLDEST_POSTGRES ?? []].flat());
if (programs === undefined) {
  console.log(
    `Skipped: this machine has no PostgreSQL ${OLDEST_MAJOR}. Install its server package, or say in LAUREL_OLDEST_POSTGRES in which folder initdb, pg_ctl and postgres are.`,
  );
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'laurel-oldest-'));
// The same settings as in test/support/global-setup.ts: a crash may lose data.
const settings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB' };
const server = await makeServer(join(serverFolder(folder), 'data'), await freePort(), { programs, settings });
let code = 1;
try {
  // No superuser, as on any server: the login may create databases and roles.
  await ask(server, `create role laurel login createdb createrole password '${server.password}'`);
  const url = new URL(`${server.admin}/postgres`);
  url.username = 'laurel';
  const [row] = await ask<{ version: string }>(server, 'select version()');
  console.log(`On ${row.version}`);
  const child = spawn('vitest', ['run', ...process.argv.slice(2)], {
    env: { ...process.env, TEST_DATABASE_URL: url.href },
    stdio: 'inherit',
  });
  // The terminal also signals the tests, which end on their own; the server is removed after them.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  [code] = (await once(child, 'exit')) as [number];
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code ?? 1);
