// The pages of the guide with tabs: each way plays every page with a new demo, each block as a program behind the lines of the preparation.
// test/contract/integrators-page.test.ts plays the curl of the same pages, and compares it with their answers.
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoShop } from '../../src/commands/demo-shop.ts';
import { type Block, blocksOf } from '../contract/support/page.ts';
import { expectTold, printedBy, type Step, stepsOf, variablesOf } from '../contract/support/page-steps.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Environment, environment, PROTOBUFS, python, runPython } from './python/installed.ts';
import { compile, packedProject, type Project } from './typescript/packed.ts';

const guide = join(import.meta.dirname, '../../docs/guide');
const pageOf = (name: string) => readFileSync(join(guide, name), 'utf8');
const all = globSync('*.md', { cwd: guide }).toSorted();
const pages = all.filter((name) => /^```sh curl$/m.test(pageOf(name)));

/** The ways beside curl, each with what runs one of its blocks: nothing for lines of the shell. */
const RUNS: Readonly<Record<string, string | undefined>> = {
  TypeScript: 'node --input-type=module-typescript -',
  Python: 'python -',
  'Command line': undefined,
};

/** The page of four ways begins with a group of tabs: the lines before every other block. */
const preparationOf = (way: string) =>
  blocksOf(pageOf('four-ways.md'), way).find(({ language }) => language !== 'shell')!.code;

/** The blocks of a page in a way. A tab of a language is a program, behind the lines of the preparation. */
function blocksIn(page: string, way: string): Block[] {
  const preparation = preparationOf(way);
  return blocksOf(pageOf(page), way)
    .filter(({ code }) => code !== preparation)
    .map((block) =>
      RUNS[block.way ?? ''] === undefined ? block : { ...block, code: `${preparation}\n${block.code}` },
    );
}

/** A program as lines of the shell. */
function inShell(block: Block): Block {
  const command = RUNS[block.way ?? ''];
  if (command === undefined) return block;
  return { ...block, language: 'sh', code: `${command} <<'END OF BLOCK'\n${block.code}END OF BLOCK\n` };
}

let service: TestService;
let project: Project;
let installed: Environment | undefined;
beforeAll(async () => {
  [service, project, installed] = await Promise.all([
    startService(),
    packedProject(),
    python === undefined ? undefined : environment(PROTOBUFS.newest, 'mypy'),
  ]);
}, 240_000);
afterAll(async () => {
  await Promise.all([service?.close(), project?.close(), installed?.close()]);
});

/** Before the first block: the folder of the package, the command, errors among the answers, and the variables of curl. */
function begin(): Step {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const paths = [dirname(installed?.python ?? process.execPath), dirname(process.execPath)];
  const command = [
    `cd '${project.folder}'; exec 2>&1; PATH="${paths.join(':')}:$PATH"; export XDG_CONFIG_HOME=$PWD`,
    `laurel() { node '${main}' "$@"; }`,
    preparationOf('curl'),
  ];
  return { command: command.join('\n'), expected: undefined };
}

const ways = Object.keys(RUNS).filter((way) => way !== 'Python' || python !== undefined);

describe.each(pages)('%s', { timeout: 120_000 }, (page) => {
  test.each(ways.filter((way) => pageOf(page).includes(` ${way}\n`)))('does the same in %s', async (way) => {
    const steps = stepsOf(blocksIn(page, way).map(inShell));
    const { apiKey, accessToken } = await createDemoShop(service.app.operations);
    const printed = await printedBy([begin(), ...steps], variablesOf(service.baseUrl, apiKey, accessToken));
    for (const [index, { expected, ...step }] of steps.entries())
      if (step.way !== undefined && expected !== undefined) expectTold(printed[index + 1]!, expected);
  });
});

/** The groups of tabs of a page: their curl, and the labels of all. */
function groupsOf(page: string) {
  const groups: { curl: string; labels: string[] }[] = [];
  for (const [, label = '', code = ''] of pageOf(page).matchAll(/^```\w+ (.+)\n([^]*?)^```$/gm)) {
    if (label === 'curl') groups.push({ curl: code, labels: [] });
    groups.at(-1)!.labels.push(label);
  }
  return groups;
}

/** The calls of integrators that have a command, and the one of operators. */
const COMMANDS =
  /(gamification\/triggers(\/batch|\/simulate)?"|\/v1\/feed\/.*) -H "\$AUTH"|\/admin\/campaigns\/paginated/;

test('each group of tabs has the three ways of programs, and a command if there is one', () => {
  const groups = pages.flatMap(groupsOf);
  expect(groups.length).toBeGreaterThan(40);
  for (const { curl, labels } of groups) {
    const hasCommand = labels.includes('Command line') || COMMANDS.test(curl);
    const expected = ['curl', 'TypeScript', 'Python', ...(hasCommand ? ['Command line'] : [])];
    expect(labels, curl).toEqual(expected);
  }
});

test('a call without tabs is one of operators, or about a header or a stream of events that only HTTP has', () => {
  const alone = all.flatMap((page) =>
    [...pageOf(page).matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code),
  );
  expect(alone.length).toBeGreaterThan(20);
  for (const code of alone.filter((each) => each.includes('$AUTH')))
    expect(code).toMatch(/-H '(Idempotency-Key|Content-Type: application\/cloudevents)|\/stream\?/);
});

describe('all programs pass a strict type checker', { timeout: 120_000 }, () => {
  /** Writes the programs of a way into a folder; returns the names of the files. */
  async function written(way: string, folder: string, extension: string): Promise<string[]> {
    const programs = pages.flatMap((page) => blocksIn(page, way).filter((block) => block.way === way));
    const names = programs.map((_, index) => `tab_${index}.${extension}`);
    await Promise.all(programs.map(({ code }, index) => writeFile(join(folder, names[index]!), code)));
    return names;
  }

  test('in TypeScript', async () => {
    const root = join(import.meta.dirname, '../..');
    await compile(project, join(root, 'node_modules/.bin/tsc'), await written('TypeScript', project.folder, 'ts'));
  });

  test.skipIf(python === undefined)('in Python', async () => {
    const { folder, python: interpreter } = installed!;
    await runPython(interpreter, ['-m', 'mypy', '--strict', ...(await written('Python', folder, 'py'))], {}, folder);
  });
});
