import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openapi } from './support/openapi.ts';

const run = promisify(execFile);

/** Redocly's findings in the description; the description does not leave the machine. */
async function lint(): Promise<{ totals: { errors: number }; problems: Array<{ ruleId: string; severity: string }> }> {
  const { stdout } = await run('node_modules/.bin/redocly', ['lint', '--format', 'json', 'gen/openapi.yaml'], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return JSON.parse(stdout);
}

test('the OpenAPI description passes redocly without an error', async () => {
  const { totals, problems } = await lint();
  expect(totals.errors, JSON.stringify(problems, null, 2)).toBe(0);
  // Paths such as `redeem/{id}` and `{id}/publish` are documented as they are; the gateway prefers the literal.
  const warnings = new Set(problems.map(({ ruleId }) => ruleId));
  expect([...warnings]).toEqual(['no-ambiguous-paths']);
});

test('the OpenAPI description passes spectral without an error, a warning or a hint', { timeout: 60_000 }, async () => {
  const ruleset = join(await mkdtemp(join(tmpdir(), 'laurel-spectral-')), 'ruleset.json');
  await writeFile(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  const options = ['--ruleset', ruleset, '--format', 'json', '--fail-severity', 'hint', '--quiet'];
  const { stdout } = await run('node_modules/.bin/spectral', ['lint', ...options, 'gen/openapi.yaml']).catch(
    (failed: { stdout: string }) => failed,
  );
  await rm(dirname(ruleset), { recursive: true });
  expect(JSON.parse(stdout)).toEqual([]);
});

test('the OpenAPI description has nothing that generated clients stumble over', () => {
  const { components, paths } = openapi as unknown as {
    components: { schemas: object };
    paths: Record<string, Record<string, { parameters?: Array<{ name: string; schema?: { type?: string } }> }>>;
  };
  const names = Object.keys(components.schemas);
  expect(names.filter((name) => ['Error', 'Import', 'Client'].includes(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['LaurelError', 'LaurelImport', 'LaurelClient']));
  const parameters = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((each) => each.parameters ?? []),
  );
  const filters = parameters.filter(({ name }) => name === 'filters');
  expect(filters.length).toBeGreaterThan(10);
  expect(filters.filter(({ schema }) => schema?.type !== 'string')).toEqual([]);
});
