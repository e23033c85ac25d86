// `DATABASE_URL=... node .ci/release/fixture.ts`, at a release: writes to `test/fixtures/v<version>` what later releases are
// compared with, so that a test needs neither history nor a second installation. The address is that of an empty
// database; `pg_dump` of its version must be on the PATH, and the login must be a superuser, or the dump lacks every row.
// The oldest PostgreSQL that is promised makes it, or that one could not read it. CONTRIBUTING.md, "Releasing".
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

/** INSERTs and not COPY, so that any client can run it; without owners, which are the cluster's, the login included. */
function dump(url: string): string {
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-comments'];
  const sql = execFileSync('pg_dump', [...options, url], { encoding: 'utf8', maxBuffer: 1 << 28 });
  // Newer versions of pg_dump frame the dump in two commands of psql, which are no SQL.
  return sql
    .split('\n')
    .filter((line) => !/^\\(un)?restrict /.test(line))
    .map((line) => line.replace(/^(ALTER DEFAULT PRIVILEGES FOR ROLE) \S+/, '$1 CURRENT_USER'))
    .join('\n');
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
