import { describe, expect, it } from 'vitest';
import { en } from '../../src/console/messages/en/index.ts';
import { es } from '../../src/console/messages/es/index.ts';

type Texts = { readonly [key: string]: string | Texts };

/** Every text by its whole key. */
function flat(texts: Texts, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, text]) =>
      typeof text === 'string' ? { [prefix + key]: text } : flat(text, `${prefix}${key}.`),
    ),
  ) as Record<string, string>;
}

/** The arguments that a text takes. Brackets hold by turns an argument and a text inside it: `{count, plural, one {it}}`. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>();
  let depth = 0;
  for (const [bracket, name = ''] of text.matchAll(/\{\s*(\w*)|\}/g)) {
    if (bracket === '}') depth -= 1;
    else if (depth++ % 2 === 0) names.add(name);
  }
  return [...names].toSorted();
}

const english = flat(en);
const spanish = flat(es);

describe('The texts of the console', () => {
  it('exist in both languages under the same keys', () => {
    expect(Object.keys(spanish).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  it('take the same arguments in both languages', () => {
    const different = Object.keys(english).filter(
      (key) => argumentsOf(english[key] ?? '').join() !== argumentsOf(spanish[key] ?? '').join(),
    );
    expect(different).toEqual([]);
  });

  it('are never empty', () => {
    const empty = [...Object.entries(english), ...Object.entries(spanish)].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });
});
