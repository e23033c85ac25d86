// Pages and comments follow the house style: docs/decisions/0094-plain-words.md. `node .ci/check-prose.ts docs src/engine`
// checks these paths only, and also those in prose/unchecked.ts.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { commentsOf } from './prose/comments.ts';
import { LINE_MAX } from './prose/house-style.ts';
import { houseStyle } from './prose/rule.ts';
import { UNCHECKED } from './prose/unchecked.ts';

const PROSE = [
  '*.md',
  'docs/**/*.md',
  'deploy/**/*.md',
  'packages/*/*.md',
  '{src,packages/*/src}/**/*.{ts,tsx}',
  'test/**/*.ts',
  'proto/**/*.proto',
];

const root = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const kernel = new TextlintKernel();
const faults: string[] = [];

for (const file of globSync(PROSE, {
  cwd: root,
  exclude: ['**/node_modules/**', 'packages/*/src/gen/**'],
}).toSorted()) {
  const isAsked = asked.some((path) => file.startsWith(path));
  if (asked.length > 0 ? !isAsked : UNCHECKED.some((path) => file.startsWith(path))) continue;
  const whole = readFileSync(join(root, file), 'utf8');
  // Released parts of the changelog are history.
  const source = file === 'CHANGELOG.md' ? whole.replace(/^## \[\d.*/ms, '') : whole;
  faults.push(...longLines(file, source), ...(await sentenceFaults(file, source)));
}
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\n${faults.length} faults.`);
  process.exit(1);
}

async function sentenceFaults(file: string, source: string): Promise<string[]> {
  const { messages } = await kernel.lintText(file.endsWith('.md') ? source : commentsOf(source), {
    ext: '.md',
    filePath: file,
    plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
    rules: [{ ruleId: 'house-style', rule: houseStyle }],
  });
  return messages.map(({ loc, message }) => `${file}:${loc.start.line} ${message}`);
}

/** Lines over the limit. Tables, addresses and commands cannot be wrapped; docs/dependencies.md has a line for each licence. */
function longLines(file: string, source: string): string[] {
  if (!file.endsWith('.md') || file === 'docs/dependencies.md') return [];
  let inCode = false;
  return source.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) inCode = !inCode;
    const isFree = inCode || /^\s*\||\]\(\S+\)$|https?:|^\s*`[^`]*`[.,:]?$/.test(line);
    return line.length > LINE_MAX && !isFree
      ? [`${file}:${index + 1} ${line.length} characters: run npm run format.`]
      : [];
  });
}
