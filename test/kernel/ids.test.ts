import fc from 'fast-check';
import { v5 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { setTimestampClock, systemClock } from '../../src/kernel/time/clock.ts';
import { derivedId, momentOfId, newId, parseId } from '../../src/kernel/ids.ts';

afterEach(() => setTimestampClock(systemClock));

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

test('ids ascend within one millisecond, and while the clock goes back by less than a second', () => {
  let now = Date.parse('2026-05-01T12:00:00.500Z');
  setTimestampClock(() => new Date((now -= 1)));
  const ids = Array.from({ length: 500 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('after a correction by minutes ids are of the right time at once', () => {
  let now = Date.parse('2026-05-01T12:05:00Z');
  setTimestampClock(() => new Date(now));
  newId();
  now -= 300_000;
  expect(momentOfId(newId())).toEqual(new Date(now));
});

test('an id is read in either case and written in lower case; anything else is none', () => {
  const id = newId();
  expect(parseId(id.toUpperCase())).toBe(id);
  for (const text of ['', 'x', ` ${id}`, `${id} `, id.replaceAll('-', ''), `{${id}}`])
    expect(parseId(text)).toBeUndefined();
});
