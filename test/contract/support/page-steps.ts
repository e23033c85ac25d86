import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ErrorCode } from '../../../gen/laurel/errors/v1/errors_pb.ts';
import type { Block } from './page.ts';

/** Some lines of the shell, and their output according to the page. `way`: the label of the tab from which they come. */
export type Step = { readonly command: string; readonly expected: Block | undefined; readonly way?: string };

/** The separator between the outputs of two steps. */
const SEPARATOR = '\u001E';

/** The languages of outputs, which {@link expectPrinted} compares. */
const OUTPUTS: ReadonlySet<string> = new Set(['json', 'text']);

const run = promisify(execFile);

/**
 * Runs all steps in one shell, because later ones use variables of earlier ones; returns the output of each.
 * @param env the variables which the page expects
 */
export async function printedBy(steps: readonly Step[], env: Readonly<Record<string, string>>): Promise<string[]> {
  const script = steps.map(({ command }) => `${command}printf '${SEPARATOR}'\n`).join('');
  const { stdout } = await run('bash', ['-euc', script], { env: { ...process.env, ...env } });
  return stdout.split(SEPARATOR);
}

/** The variables of all pages: those of the page of curl lines, and those that packages and commands read. */
export function variablesOf(url: string, key: string, token: string): Record<string, string> {
  return { LAUREL: url, KEY: key, TOKEN: token, LAUREL_URL: url, LAUREL_KEY: key, LAUREL_TOKEN: token };
}

/** Compares the output with the page. */
export function expectPrinted(output: string, expected: Block): void {
  if (expected.language === 'text') return expectText(output.trim(), expected.code.trim());
  expect(valuesOf(output)).toMatchObject(valuesOf(expected.code).map(anything) as object[]);
}

/** Compares lines. `…` on the page matches any word. */
function expectText(output: string, expected: string): void {
  if (!expected.includes('…')) return expect(output).toBe(expected);
  expect(output).toMatch(new RegExp(`^${expected.split('…').map(RegExp.escape).join('\\S+')}$`));
}

/**
 * Compares what another way than curl prints with the answers on the page: it has their error codes and no other, in the same order, and of
 * each answer that is no error a text or a number.
 */
export function expectTold(output: string, expected: Block): void {
  const answers = valuesOf(expected.code);
  const codes = answers.flatMap(leavesOf).filter((leaf) => leaf in ErrorCode);
  expect(output.match(/\b[A-Z]+(_[A-Z]+)*\b/g)?.filter((word) => word in ErrorCode) ?? [], output).toEqual(codes);
  let rest = output;
  for (const answer of answers) {
    const leaves = leavesOf(answer);
    if (leaves.length === 0 || leaves.some((leaf) => leaf in ErrorCode)) continue;
    const found = leaves.map((leaf) => new RegExp(`(?<![\\w.])${RegExp.escape(leaf)}(?!\\w)`).exec(rest));
    const first = found.filter((match) => match !== null).toSorted((a, b) => a.index - b.index)[0];
    expect(first, `${output}\nhas nothing of ${JSON.stringify(answer)}`).toBeDefined();
    rest = rest.slice(first!.index + first![0].length);
  }
}

/** The texts and numbers in a value, as texts. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  if (typeof value === 'number') return [`${value}`];
  return typeof value === 'string' && value !== '…' ? [value] : [];
}

/** A block of shell begins a step; one of JSON or text is its output. */
export function stepsOf(blocks: readonly Block[]): Step[] {
  const found: Step[] = [];
  for (const block of blocks) {
    const last = found.at(-1);
    const way = block.way === undefined ? {} : { way: block.way };
    if (block.language === 'sh') found.push({ command: block.code, expected: undefined, ...way });
    else if (last && OUTPUTS.has(block.language)) found[found.length - 1] = { ...last, expected: block };
  }
  return found;
}

/** The called paths, as the name of a step. */
export function title(command: string): string {
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

/** The possible ends of a value: after each closing bracket. */
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

/** `…` on the page matches any text. */
function anything(value: unknown): unknown {
  if (value === '…') return expect.anything();
  if (Array.isArray(value)) return value.map(anything);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, anything(each)]));
}
