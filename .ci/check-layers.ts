// The checked layers (`layers.ts`) are those of the drawing in README, and no looser than the code: every import between two folders of
// `src` that the list allows is used, and leads to a lower line of the drawing.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { layers, MAIN } from './layers.ts';

/** Relative imports, in one line or several. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const root = join(import.meta.dirname, '..');
const used = usedWays();
const lines = drawnLines();
const faults = Object.entries(layers).flatMap(([from, below]) => [
  ...below
    .filter((to) => !used.has(`${from} ${to}`))
    .map((to) => `.ci/layers.ts lets src/${from} import ${to}, which it does not: take ${to} off its line.`),
  ...(isDrawn(from) && !lines.has(from) ? [`README.md draws no ${from}: put it into the drawing of the layers.`] : []),
  ...below
    .filter((to) => isDrawn(from) && isDrawn(to) && lines.get(from)! >= lines.get(to)!)
    .map((to) => `README.md draws ${from} beside or below ${to}, which it imports: draw it above.`),
]);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

/** An entry `from to` for every import that leaves its module. */
function usedWays(): Set<string> {
  const ways = new Set<string>();
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    for (const [, target = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      ways.add(`${moduleOf(file)} ${moduleOf(posix.join(posix.dirname(file), target))}`);
    }
  }
  return ways;
}

function moduleOf(path: string): string {
  const [top = '', module = '', ...rest] = path.split('/');
  if (top === 'gen' || top === 'packages') return top;
  return rest.length > 0 ? module : MAIN;
}

/** The line of the drawing for each module; two or more spaces end the names. */
function drawnLines(): Map<string, number> {
  const drawing =
    /## Architecture\n[\s\S]*?```\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '';
  const found = new Map<string, number>();
  for (const [line, text] of drawing.split('\n').entries()) {
    const [names = ''] = text.split(/ {2,}/);
    for (const name of names.split(/[^a-z-]+/)) if (name in layers) found.set(name, line);
  }
  return found;
}

/** Whether a module is in the drawing. The pages, generated code and `app` are not. */
function isDrawn(module: string): boolean {
  return !['console', 'docs', 'gen', 'packages', MAIN].includes(module);
}
