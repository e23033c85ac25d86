// docs/guide/four-ways.md: the blocks of each way, run one after the other as one program, each with its own demo.
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoShop } from '../../src/commands/demo-shop.ts';
import { newPerson, type Person } from '../commands/support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { environment, PROTOBUFS, python } from './python/installed.ts';
import { packedProject } from './typescript/packed.ts';

const run = promisify(execFile);
const page = await readFile(join(import.meta.dirname, '../../docs/guide/four-ways.md'), 'utf8');

/** The sections of the page, each with its blocks by their labels. */
const sections = page
  .split(/^(?=## )/m)
  .map((text) => ({
    title: /^## (.*)/.exec(text)?.[1] ?? '',
    blocks: new Map([...text.matchAll(/^```\w+ (.+)\n([^]*?)^```$/gm)].map(([, label, code]) => [label!, code!])),
  }))
  .filter(({ blocks }) => blocks.size > 0);

/** The blocks of a way as one program. */
const programOf = (label: string) => sections.map(({ blocks }) => blocks.get(label)).join('\n');

/** The texts that every way prints, in this order. */
const PRINTED = [
  // One event.
  'Come back three times',
  // Many events: the second has an unknown code.
  'EVENT_DEFINITION_NOT_FOUND',
  // Progress and points, and the simulation.
  'Come back three times',
  'Spend',
  // A refusal.
  'EVENT_DEFINITION_NOT_FOUND',
];

let service: TestService;
beforeAll(async () => {
  service = await startService();
}, 60_000);
afterAll(() => service.close());

/** Runs a way with a new demo and returns what it prints; the account then has two logins. */
async function tried(way: (env: { LAUREL_URL: string; LAUREL_KEY: string }) => Promise<string>): Promise<void> {
  const { apiKey } = await createDemoShop(service.app.operations);
  const printed = await way({ LAUREL_URL: service.baseUrl, LAUREL_KEY: apiKey });
  let rest = printed;
  for (const words of PRINTED) {
    expect(rest, printed).toContain(words);
    rest = rest.slice(rest.indexOf(words) + words.length);
  }
  // These two errors are meant; any other is a wrong line of the page.
  expect(printed.match(/NOT_FOUND|BAD_REQUEST|FORBIDDEN/g), printed).toHaveLength(2);
  const progress = await service.rest(
    'GET',
    '/v1/gamification/missions/progress/ada?idType=EXTERNAL',
    undefined,
    apiKey,
  );
  expect(progress.body).toMatchObject([{ name: 'Come back three times', progress: 2, target: 3 }]);
}

test('every section has all four ways', () => {
  expect(sections.length).toBeGreaterThan(5);
  for (const { blocks } of sections)
    expect([...blocks.keys()]).toEqual(['curl', 'TypeScript', 'Python', 'Command line']);
});

describe('each way does the same', { timeout: 120_000 }, () => {
  let person: Person;
  beforeAll(async () => {
    person = await newPerson({});
  });
  afterAll(() => person.close());

  test('curl', () =>
    tried(async (env) => (await run('bash', ['-euc', programOf('curl')], { env: { ...process.env, ...env } })).stdout));

  test('the command line', () =>
    tried(async (env) => {
      const { code, out, errors } = await person.sh(`exec 2>&1; set -e\n${programOf('Command line')}`, env);
      expect({ code, errors }, out).toEqual({ code: 0, errors: '' });
      return out;
    }));

  test('TypeScript', () =>
    tried(async (env) => {
      const project = await packedProject();
      await writeFile(join(project.folder, 'ways.ts'), programOf('TypeScript'));
      const { stdout } = await run(process.execPath, ['ways.ts'], {
        cwd: project.folder,
        env: { ...process.env, ...env },
      });
      await project.close();
      return stdout;
    }));

  test.skipIf(python === undefined)('Python (skipped without its packages)', () =>
    tried(async (env) => {
      const installed = await environment(PROTOBUFS.newest);
      const file = join(installed.folder, 'ways.py');
      await writeFile(file, programOf('Python'));
      const { stdout } = await run(installed.python, [file], { env: { ...process.env, ...env } });
      await installed.close();
      await rm(file, { force: true });
      return stdout;
    }),
  );
});
