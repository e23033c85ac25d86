import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '../../src/persistence/checks/database-checks.ts';
import { faultsOf, inspect } from '../../src/persistence/checks/inspect.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type SilencingProxy, silencingProxy } from '../support/silencing-proxy.ts';

let database: TestDatabase;
let proxy: SilencingProxy;

beforeAll(async () => {
  database = await testDatabase();
  proxy = await silencingProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

/** A text in the first query of the first check. */
const FIRST = `current_setting('server_version')`;

test('a check whose connection goes silent is made on another one, and so are those behind it', async () => {
  const silenced = proxy.silenceAt(FIRST, 'lost');
  const verdicts = await inspect(proxy.url, databaseChecks);
  expect(await silenced).toBeGreaterThan(0);
  // Warnings are left out: the tests' server has one about its commits.
  expect(faultsOf(verdicts, 'start')).toEqual([]);
  expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(['made']));
});

test('where no other connection is answered either, that is reported once, and what is behind it is not tried', async () => {
  const silenced = proxy.silenceAt(FIRST, 'lost').then(() => proxy.refuseNew(true));
  const begun = performance.now();
  const verdicts = await inspect(proxy.url, databaseChecks);
  await silenced;
  proxy.refuseNew(false);
  expect(performance.now() - begun).toBeLessThan(14_000);
  const outcomes = verdicts.map(({ name, outcome }) => [name, outcome]);
  expect(outcomes[0]).toEqual(['server', 'failed']);
  expect(new Set(outcomes.slice(1).map(([, outcome]) => outcome))).toEqual(new Set(['skipped']));
  expect(verdicts.flatMap(({ findings }) => findings)).toMatchObject([{ severity: 'fault' }]);
});
