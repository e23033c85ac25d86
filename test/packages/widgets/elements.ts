import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../../packages/widgets/src');

/** The names of elements, parts and variables that the sources of the widgets have, each in its order. */
export function elements(): Record<'names' | 'parts' | 'variables', string[]> {
  const texts = globSync('**/*.ts', { cwd: source }).map((file) => readFileSync(join(source, file), 'utf8'));
  const all = (pattern: RegExp) => texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  const listed = (found: readonly string[]) => [...new Set(found)].toSorted();
  return {
    names: listed(all(/^ {2}'(laurel-[a-z]+)': Laurel/gm)),
    parts: listed(
      all(/\bpart: ([^,}]*)/g).flatMap((value) =>
        [...value.matchAll(/[a-z][a-z-]*(?=[a-z -]*')/g)].map(([name]) => name),
      ),
    ),
    variables: listed(all(/var\((--laurel-[a-z-]+)/g)),
  };
}
