// Checks that callers and operators of the last release still find everything they use: messages and RPCs, REST paths, operation ids, error
// codes, settings, metrics. `.ci/release` recorded it in `test/fixtures/v<version>`. Additions are allowed, removals and changes of meaning
// are not. It needs neither history nor a service.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAST_RELEASE } from '../src/persistence/migrating/own-migrations.ts';
import { errorCodes, metricNames, operationIds, routeTable, settings } from './release/interface.ts';

/**
 * Intended breaks, in the words of this check, each with the reason. CHANGELOG.md has the replacement for callers. A release empties the
 * list. Breaks of the protos are listed in buf.yaml, under `breaking`.
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
// Runs after the lists, whose messages are plainer if both find the same fault.
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

/** One line per operation: `GET /accounts/{id} GetAccount` */
function inOneLine([operation, name]: readonly [string, string]): string {
  return `${operation} ${name}`;
}

/** One line per error code: `GET /accounts/{id} ACCOUNT_NOT_FOUND` */
function listed(codes: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(codes).flatMap(([operation, each]) => each.map((code) => `${operation} ${code}`));
}

/** A message for each removed name. */
function gone(kind: string, before: readonly string[], now: readonly string[]): string[] {
  const present = new Set(now);
  return before.filter((entry) => !present.has(entry)).map((entry) => `${kind} is gone: ${entry}`);
}

/** Whether this system shows a metric: only Linux has all metrics of the process. */
function isShownHere(metric: string): boolean {
  return process.platform === 'linux' || !metric.startsWith('process_');
}
