import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Block } from './page.ts';

/** Some lines of the shell, and their output according to the page. */
export type Step = { readonly command: string; readonly expected: Block | undefined };

/** The separator between the outputs of two steps. */
const SEPARATOR = '\u001E';

/** The languages of outputs, which {@link expectPrinted} compares. */
const OUTPUTS: ReadonlySet<string> = new Set(['json', 'text']);

const run = promisify(execFile);

/**
 * Runs all steps in one shell, because later ones use variables of earlier ones; returns the output of each.
 * @param env `LAUREL`, `KEY` and `TOKEN`, which the page expects
 */
export async function printedBy(steps: readonly Step[], env: Readonly<Record<string, string>>): Promise<string[]> {
  const script = steps.map(({ command }) => `${command}printf '${SEPARATOR}'\n`).join('');
  const { stdout } = await run('bash', ['-euc', script], { env: { ...process.env, ...env } });
  return stdout.split(SEPARATOR);
}

/** Compares the output with the page. */
export function expectPrinted(output: string, expected: Block): void {
  if (expected.language === 'text') return expect(output.trim()).toBe(expected.code.trim());
  expect(valuesOf(output)).toMatchObject(valuesOf(expected.code).map(anything) as object[]);
}

/** A block of shell begins a step; one of JSON or text is its output. */
export function stepsOf(blocks: readonly Block[]): Step[] {
  const found: Step[] = [];
  for (const block of blocks) {
    const last = found.at(-1);
    if (block.language === 'sh') found.push({ command: block.code, expected: undefined });
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
