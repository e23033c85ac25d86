import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoShop } from '../../src/commands/demo-shop.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Block, blocksOf } from './page.ts';

const run = promisify(execFile);

/** Between the outputs of two steps. */
const SEPARATOR = '\u001E';

/** Some lines of the shell, and what the page says that they print. */
type Step = { readonly command: string; readonly says: Block | undefined };

// The first block names the address and the keys of `npm start`; here they are another service's.
const steps = stepsOf(blocksOf(readFileSync(new URL('../../docs/integrators.md', import.meta.url), 'utf8'))).slice(1);

let service: TestService;
let printed: string[];

/** All steps in one shell, because later ones use what earlier ones have set. */
beforeAll(async () => {
  service = await startService();
  const { apiKey, accessToken } = await createDemoShop(service.app.operations);
  const script = steps.map(({ command }) => `${command}printf '${SEPARATOR}'\n`).join('');
  const { stdout } = await run('bash', ['-euc', script], {
    env: { ...process.env, LAUREL: service.baseUrl, KEY: apiKey, TOKEN: accessToken },
  });
  printed = stdout.split(SEPARATOR);
}, 60_000);
afterAll(() => service.close());

test.each(steps.flatMap(({ command, says }, index) => (says ? [[title(command), index, says] as const] : [])))(
  '%s',
  (_title, index, says) => {
    const output = printed[index] ?? '';
    if (says.language === 'text') return expect(output.trim()).toBe(says.code.trim());
    expect(valuesOf(output)).toMatchObject(valuesOf(says.code).map(anything) as object[]);
  },
);

test('every line of the page is run', () => {
  expect(steps.length).toBeGreaterThan(20);
  expect(steps.filter(({ says }) => says).length).toBeGreaterThan(20);
});

/** A block of shell begins a step; one of another language says what it prints. */
function stepsOf(blocks: readonly Block[]): Step[] {
  const found: Step[] = [];
  for (const block of blocks) {
    const last = found.at(-1);
    if (block.language === 'sh') found.push({ command: block.code, says: undefined });
    else if (last) found[found.length - 1] = { ...last, says: block };
  }
  return found;
}

/** The paths that are called name a step well enough. */
function title(command: string): string {
  return [...new Set(command.matchAll(/\$LAUREL([^"?]+)/g).map(([, path]) => path))].join(', ');
}

/** JSON values one after the other, with or without line breaks between them. */
function valuesOf(text: string): unknown[] {
  const values: unknown[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const end = ends(rest).find((index) => parsed(rest.slice(0, index)) !== undefined);
    if (end === undefined) throw new Error(`This is no JSON: ${rest}`);
    values.push(parsed(rest.slice(0, end)));
    rest = rest.slice(end).trim();
  }
  return values;
}

/** Where a value may end: after each closing bracket. */
function ends(text: string): number[] {
  return [...text.matchAll(/[}\]]/g).map((match) => match.index + 1)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the page writes as `…` may be anything. */
function anything(value: unknown): unknown {
  if (value === '…') return expect.anything();
  if (Array.isArray(value)) return value.map(anything);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, anything(each)]));
}
