import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortestCycle, loadReachable } from '../../src/kernel/graph.ts';

type Ways = ReadonlyMap<string, readonly string[]>;

/** Up to seven nodes, each with edges to some of them, to itself, and to an unknown one. */
const ways: fc.Arbitrary<Ways> = fc.integer({ min: 1, max: 7 }).chain((count) => {
  const names = Array.from({ length: count }, (_, index) => `thing ${index}`);
  const leadsTo = fc.shuffledSubarray([...names, 'unknown'], { maxLength: Math.min(3, count + 1) });
  return fc
    .tuple(...names.map(() => leadsTo))
    .map((lists) => new Map(names.map((name, index) => [name, lists[index]!])));
});

/** Walks every path without a repeated node: the lengths of the cycles. */
function naiveLoops(known: Ways, start: string): number[] {
  const walk = (id: string, passed: readonly string[]): number[] =>
    (known.get(id) ?? []).flatMap((next) => {
      if (next === start) return [passed.length];
      return passed.includes(next) ? [] : walk(next, [...passed, next]);
    });
  return walk(start, [start]);
}

test('a loop is found where one is, and is the shortest', () => {
  fc.assert(
    fc.property(ways, (known) => {
      for (const start of known.keys()) {
        const loop = shortestCycle(start, (id) => known.get(id) ?? []);
        const lengths = naiveLoops(known, start);
        expect(loop?.length).toBe(lengths.length === 0 ? undefined : Math.min(...lengths));
        if (loop === undefined) continue;
        expect(loop[0]).toBe(start);
        expect(new Set(loop).size).toBe(loop.length);
        for (const [index, id] of loop.entries()) expect(known.get(id)).toContain(loop[index + 1] ?? start);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a loop of ten thousand things is found without walking every way', () => {
  const last = 9_999;
  const next = (id: string) =>
    Number(id) === last ? ['0', '1'] : [`${Number(id) + 1}`, `${Math.max(0, Number(id) - 1) || 1}`];
  expect(shortestCycle('0', next)).toHaveLength(last + 1);
});

test('everything that is led to is loaded once, level by level', async () => {
  const known: Ways = new Map([
    ['a', ['b', 'c']],
    ['b', ['d', 'a']],
    ['c', ['d', 'unknown']],
    ['d', ['a']],
    ['apart', ['a']],
  ]);
  const asked: string[][] = [];
  const thing = (id: string) => ({ id, leadsTo: known.get(id)! });
  const found = await loadReachable(
    [thing('a')],
    ({ leadsTo }) => leadsTo,
    async (ids) => {
      asked.push([...ids]);
      return ids.filter((id) => known.has(id)).map(thing);
    },
  );
  expect([...found.keys()]).toEqual(['a', 'b', 'c', 'd']);
  expect(asked).toEqual([
    ['b', 'c'],
    ['d', 'unknown'],
  ]);
});
