// Pages of the guide with tabs: the blocks of each way, run one after the other as one program, each with a separate demo. The curl of other
// pages than docs/guide/four-ways.md is run by test/contract/integrators-page.test.ts, which has their variables.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoShop } from '../../src/commands/demo-shop.ts';
import { newPerson, type Person } from '../commands/support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Environment as InstalledPython, environment, PROTOBUFS, python } from './python/installed.ts';
import { packedProject, type Project } from './typescript/packed.ts';

const run = promisify(execFile);
const readPage = (name: string) => readFile(join(import.meta.dirname, `../../docs/guide/${name}.md`), 'utf8');

/** The groups of tabs of a page, each with its blocks by their labels. */
async function groupsOf(name: string): Promise<Map<string, string>[]> {
  const tabs = [...(await readPage(name)).matchAll(/^```\w+ (.+)\n([^]*?)^```$/gm)];
  const groups: Map<string, string>[] = [];
  for (const [, label = '', code = ''] of tabs) {
    if (label === 'curl') groups.push(new Map());
    groups.at(-1)!.set(label, code);
  }
  return groups;
}

const fourWays = await groupsOf('four-ways');

/** The texts that every way of a page prints, in this order, and how many errors are meant. */
const OTHERS = [
  {
    page: 'events',
    errors: 2,
    printed: ['EVENT_DEFINITION_NOT_FOUND', 'BAD_REQUEST', 'Spend'],
  },
  { page: 'errors-and-retries', errors: 2, printed: ['BAD_REQUEST', 'Spend', 'OPERATION_ID_REUSED'] },
];

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

type Environment = { readonly LAUREL_URL: string; readonly LAUREL_KEY: string };
type Page = { readonly printed: readonly string[]; readonly errors: number };

/** Runs a way of a page with a new demo, and returns the key of the demo. */
async function tried({ printed, errors }: Page, way: (env: Environment) => Promise<string>): Promise<string> {
  const { apiKey } = await createDemoShop(service.app.operations);
  const output = await way({ LAUREL_URL: service.baseUrl, LAUREL_KEY: apiKey });
  let rest = output;
  for (const words of printed) {
    expect(rest, output).toContain(words);
    rest = rest.slice(rest.indexOf(words) + words.length);
  }
  // These errors are meant; any other is a wrong line of the page.
  expect(output.match(/NOT_FOUND|BAD_REQUEST|FORBIDDEN|REUSED/g), output).toHaveLength(errors);
  return apiKey;
}

test('every group of tabs has all four ways', async () => {
  expect(fourWays.length).toBeGreaterThan(5);
  const others = await Promise.all(OTHERS.map(({ page }) => groupsOf(page)));
  for (const blocks of [fourWays, ...others].flat())
    expect([...blocks.keys()]).toEqual(['curl', 'TypeScript', 'Python', 'Command line']);
});

describe('each way does the same', { timeout: 120_000 }, () => {
  let person: Person | undefined;
  let project: Project | undefined;
  let installed: InstalledPython | undefined;
  beforeAll(async () => {
    [person, project, installed] = await Promise.all([
      newPerson({}),
      packedProject(),
      python === undefined ? undefined : environment(PROTOBUFS.newest),
    ]);
  }, 240_000);
  afterAll(async () => {
    await Promise.all([person?.close(), project?.close(), installed?.close()]);
  });

  const ways: Readonly<Record<string, (program: string, env: Environment) => Promise<string>>> = {
    curl: async (program, env) => (await run('bash', ['-euc', program], { env: { ...process.env, ...env } })).stdout,
    'Command line': async (program, env) => {
      const { code, out, errors } = await person!.sh(`exec 2>&1; set -e\n${program}`, env);
      expect({ code, errors }, out).toEqual({ code: 0, errors: '' });
      return out;
    },
    TypeScript: async (program, env) => {
      await writeFile(join(project!.folder, 'ways.ts'), program);
      const options = { cwd: project!.folder, env: { ...process.env, ...env } };
      return (await run(process.execPath, ['ways.ts'], options)).stdout;
    },
    Python: async (program, env) => {
      const file = join(installed!.folder, 'ways.py');
      await writeFile(file, program);
      return (await run(installed!.python, [file], { env: { ...process.env, ...env } })).stdout;
    },
  };
  const labels = Object.keys(ways).filter((label) => label !== 'Python' || python !== undefined);

  test.each(labels)('%s on the page of four ways', async (label) => {
    const program = fourWays.map((blocks) => blocks.get(label)).join('\n');
    const key = await tried({ printed: PRINTED, errors: 2 }, (env) => ways[label]!(program, env));
    const path = '/v1/gamification/missions/progress/ada?idType=EXTERNAL';
    const { body } = await service.rest('GET', path, undefined, key);
    expect(body).toMatchObject([{ name: 'Come back three times', progress: 2, target: 3 }]);
  });

  const others = OTHERS.flatMap(({ page, ...rest }) => labels.map((label) => [label, page, rest] as const));
  test.each(others.filter(([label]) => label !== 'curl'))('%s on the page %s', async (label, name, page) => {
    const blocks = [fourWays[0]!, ...(await groupsOf(name))];
    const program = blocks.map((group) => group.get(label)).join('\n');
    await tried(page, (env) => ways[label]!(program, env));
  });
});
