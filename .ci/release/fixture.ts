// `DATABASE_URL=... node .ci/release/fixture.ts`, at a release: writes the reference for later releases to `test/fixtures/v<version>`, so
// that a test needs neither history nor a second installation. The address is that of an empty database. `pg_dump` of its version must be
// on the PATH, and the login must be a superuser, or the dump lacks every row. Use the oldest supported PostgreSQL, which could not read
// the dump of a newer one. CONTRIBUTING.md, "Releasing".
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeInterface } from './interface.ts';
import { playDemo } from './played-demo.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const folder = join(root, 'test/fixtures', `v${version}`);
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) throw new Error('DATABASE_URL must name an empty database.');

mkdirSync(folder, { recursive: true });
const { metrics, ...played } = await playDemo(databaseUrl);
writeJson('played.json', played);
writeFileSync(join(folder, 'database.sql'), dump(databaseUrl));
writeInterface(folder, metrics);

/** The dump as INSERTs and not COPY, so that any client can run it. Owners are left out, because logins belong to the cluster. */
function dump(url: string): string {
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-comments'];
  const sql = execFileSync('pg_dump', [...options, url], { encoding: 'utf8', maxBuffer: 1 << 28 });
  // Newer versions of pg_dump put the dump between two psql commands, which are not SQL.
  return sql
    .split('\n')
    .filter((line) => !/^\\(un)?restrict /.test(line))
    .map((line) => line.replace(/^(ALTER DEFAULT PRIVILEGES FOR ROLE) \S+/, '$1 CURRENT_USER'))
    .join('\n');
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
