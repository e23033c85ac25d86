// Whether callers and operators of the last release find everything again that they hold on to: messages and RPCs, REST
// paths, operation ids, error codes, settings, metrics. What the release had is recorded in `test/fixtures/v<version>`; `.ci/release`
// wrote it. More may have been added; nothing may be gone or mean something else. It needs neither history nor a service.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAST_RELEASE } from '../src/persistence/migrating/own-migrations.ts';
import { errorCodes, metricNames, operationIds, routeTable, settings } from './release/interface.ts';

/**
 * Breaks that are meant, as this check words them, each with the reason. CHANGELOG.md tells callers what to do instead.
 * A release empties the list. A break of the protos has its place in buf.yaml, under `breaking`.
 */
const MEANT: Readonly<Record<string, string>> = {};

const fixtures = join(import.meta.dirname, '..', 'test', 'fixtures');
const release = `v${LAST_RELEASE.version}`;

const missing = [
  ...gone('REST route', read<string[]>('routes'), routeTable()),
  ...gone(
    'operation id',
    Object.entries(read('operation-ids')).map(inOneLine),
    Object.entries(operationIds()).map(inOneLine),
  ),
  ...gone('error code', listed(read('error-codes')), listed(errorCodes())),
  ...gone('setting', read<string[]>('settings'), settings()),
  ...gone('metric', read<string[]>('metrics').filter(isShownHere), metricNames()),
].filter((fault) => !(fault in MEANT));
for (const fault of missing) console.error(fault);
// After the lists, whose words are plainer where both find the same fault.
const protos = spawnSync(`buf breaking proto --against "${join(fixtures, release, 'descriptors.binpb')}"`, {
  shell: true,
  stdio: 'inherit',
});
if (missing.length > 0 || protos.status !== 0) {
  console.error(`\nRelease ${release} had this, and its callers or operators may use it.`);
  process.exit(1);
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(fixtures, release, `${name}.json`), 'utf8')) as T;
}

/** `GET /accounts/{id} GetAccount` */
function inOneLine([operation, name]: readonly [string, string]): string {
  return `${operation} ${name}`;
}

/** `GET /accounts/{id} ACCOUNT_NOT_FOUND` */
function listed(codes: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(codes).flatMap(([operation, each]) => each.map((code) => `${operation} ${code}`));
}

/** What was there and is not any more, in words. */
function gone(kind: string, before: readonly string[], now: readonly string[]): string[] {
  const present = new Set(now);
  return before.filter((entry) => !present.has(entry)).map((entry) => `${kind} is gone: ${entry}`);
}

/** Metrics of the process are what its system tells of it, and only Linux tells all of them. */
function isShownHere(metric: string): boolean {
  return process.platform === 'linux' || !metric.startsWith('process_');
}
