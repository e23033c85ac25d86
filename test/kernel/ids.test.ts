import fc from 'fast-check';
import { v5 } from 'uuid';
import { expect, test } from 'vitest';
import { derivedId, newId, parseId } from '../../src/kernel/ids.ts';

test('a derived id is the UUIDv5 that any library derives', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(ascii, ascii, (a, b) => {
      expect(derivedId(a, b)).toBe(v5(`${a}\n${b}`, '6f1c8d1e-53a7-4c55-9d0f-2f0b3b6a7e11'));
    }),
  );
});

test('new ids sort by the time of their making', async () => {
  const first = newId();
  await new Promise((resolve) => setTimeout(resolve, 2));
  expect(newId() > first).toBe(true);
});

test('an id is read in either case and written in lower case; anything else is none', () => {
  const id = newId();
  expect(parseId(id.toUpperCase())).toBe(id);
  for (const text of ['', 'x', ` ${id}`, `${id} `, id.replaceAll('-', ''), `{${id}}`])
    expect(parseId(text)).toBeUndefined();
});
