// The pages of the guide with tabs: each way plays every page with a new demo, each block as a program behind the lines of the preparation.
// test/contract/integrators-page.test.ts plays the curl of the same pages, and compares it with their answers.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoShop } from '../../src/commands/demo-shop.ts';
import { type Block, blocksOf } from '../contract/support/page.ts';
import { expectTold, printedBy, type Step, stepsOf, variablesOf } from '../contract/support/page-steps.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Environment, environment, PROTOBUFS, python } from './python/installed.ts';
import { packedProject, type Project } from './typescript/packed.ts';

const guide = join(import.meta.dirname, '../../docs/guide');
const pageOf = (name: string) => readFileSync(join(guide, name), 'utf8');
const pages = globSync('*.md', { cwd: guide })
  .filter((name) => /^```sh curl$/m.test(pageOf(name)))
  .toSorted();

/** The ways beside curl, each with what runs one of its blocks: nothing for lines of the shell. */
const RUNS: Readonly<Record<string, string | undefined>> = {
  TypeScript: 'node --input-type=module-typescript -',
  Python: 'python -',
  'Command line': undefined,
};

/** A block of a way as lines of the shell. */
function inShell(block: Block, way: string, preparation: string): Block {
  const command = block.way === undefined ? undefined : RUNS[way];
  if (command === undefined) return block;
  return { ...block, language: 'sh', code: `${command} <<'END OF BLOCK'\n${preparation}\n${block.code}END OF BLOCK\n` };
}

/** The page of four ways begins with a group of tabs: the lines before every other block. */
const PREPARATION = 'four-ways.md';

function stepsIn(page: string, way: string): Step[] {
  const preparation = blocksOf(pageOf(PREPARATION), way).find((block) => block.way === way)!;
  const blocks = blocksOf(pageOf(page), way).filter(({ code }) => code !== preparation.code);
  return stepsOf(blocks.map((block) => inShell(block, way, preparation.code)));
}

let service: TestService;
let project: Project;
let installed: Environment | undefined;
beforeAll(async () => {
  [service, project, installed] = await Promise.all([
    startService(),
    packedProject(),
    python === undefined ? undefined : environment(PROTOBUFS.newest),
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
    blocksOf(pageOf(PREPARATION)).find(({ language }) => language === 'sh')!.code,
  ];
  return { command: command.join('\n'), expected: undefined };
}

const ways = Object.keys(RUNS).filter((way) => way !== 'Python' || python !== undefined);

describe.each(pages)('%s', { timeout: 120_000 }, (page) => {
  test.each(ways.filter((way) => pageOf(page).includes(` ${way}\n`)))('does the same in %s', async (way) => {
    const steps = stepsIn(page, way);
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

/** The calls that have a command. */
const COMMANDS = /gamification\/triggers(\/batch|\/simulate)?"|\/v1\/feed\/|\/admin\/campaigns\/paginated/;

test('each group of tabs has the three ways of programs, and a command if there is one', () => {
  const groups = pages.flatMap(groupsOf);
  expect(groups.length).toBeGreaterThan(10);
  for (const { curl, labels } of groups) {
    const hasCommand = labels.includes('Command line') || COMMANDS.test(curl);
    const expected = ['curl', 'TypeScript', 'Python', ...(hasCommand ? ['Command line'] : [])];
    expect(labels, curl).toEqual(expected);
  }
});
