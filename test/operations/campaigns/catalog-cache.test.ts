import { describe, expect, test } from 'vitest';
import { createCatalogCache } from '../../../src/campaigns/catalog/catalog-cache.ts';
import { randomNumbers } from '../../faults/bounds.ts';

const random = randomNumbers(1);
const cacheOf = (weightMax: number) =>
  createCatalogCache<{ readonly weight: number }>({ weightMax, weigh: ({ weight }) => weight, random });

/** The hit rate of the cache. */
function hitRate(clients: () => Generator<number>): number {
  const cache = cacheOf(1_000);
  let [hits, looks] = [0, 0];
  for (const client of clients()) {
    const found = cache.get(String(client));
    if (!found) cache.set(String(client), { version: 1n, value: { weight: 1 } });
    looks += 1;
    hits += Number(found !== undefined);
  }
  return hits / looks;
}

describe('the cache of catalogues, with room for 1,000 clients', () => {
  test('finds every other one when 1,500 clients take turns; the least recently used to make room finds none', () => {
    const inTurns = hitRate(function* () {
      for (let event = 0; event < 60_000; event += 1) yield event % 1_500;
    });
    expect(inTurns).toBeGreaterThan(0.4);
  });

  test('finds most where few of 5,000 clients send most of the events', () => {
    const skewed = hitRate(function* () {
      for (let event = 0; event < 100_000; event += 1) yield Math.floor(5_000 * random() ** 4);
    });
    // The thousand most active clients send two thirds of the events.
    expect(skewed).toBeGreaterThan(0.55);
  });

  test('forgets those who were busy once', () => {
    const moving = hitRate(function* () {
      for (let day = 0; day < 4; day += 1)
        for (let event = 0; event < 50_000; event += 1) yield day * 1_000 + (event % 900);
    });
    expect(moving).toBeGreaterThan(0.8);
  });
});

describe('by weight', () => {
  test('never keeps more than fits, but for the one that was set last', () => {
    const cache = cacheOf(100);
    for (let client = 0; client < 50; client += 1) {
      cache.set(String(client), { version: 1n, value: { weight: 7 } });
      expect(cache.weight).toBeLessThanOrEqual(100);
    }
    expect(cache.size).toBe(14);
    cache.set('large', { version: 1n, value: { weight: 1_000 } });
    expect([cache.size, cache.weight]).toEqual([1, 1_000]);
    expect(cache.get('large')).toMatchObject({ version: 1n });
    cache.set('small', { version: 1n, value: { weight: 1 } });
    expect([cache.size, cache.weight]).toEqual([1, 1]);
  });

  test('a newer version takes the place of the one before', () => {
    const cache = cacheOf(100);
    cache.set('a', { version: 1n, value: { weight: 10 } });
    cache.set('b', { version: 1n, value: { weight: 10 } });
    cache.set('a', { version: 2n, value: { weight: 30 } });
    expect([cache.size, cache.weight]).toEqual([2, 40]);
    expect(cache.get('a')).toMatchObject({ version: 2n });
    expect(cache.peek('b')).toEqual({ weight: 10 });
    expect(cache.peek('c')).toBeUndefined();
  });
});
