import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTtlCache } from '../../src/clients/credentials/ttl-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  // The process clock never shows 0 here; lru-cache takes a start of 0 for none.
  vi.advanceTimersByTime(1_000);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Loads that the test answers, in the order of their start. */
function loads() {
  const begun: PromiseWithResolvers<string>[] = [];
  const load = () => {
    const one = Promise.withResolvers<string>();
    begun.push(one);
    return one.promise;
  };
  return { begun, load };
}

test('callers that ask while a look-up runs share it, and so do those within its lifetime', async () => {
  const { begun, load } = loads();
  const memory = createTtlCache<string>({ lifetimeMs: 900, capacity: 10 });
  const both = [memory.get('a', load), memory.get('a', load)];
  begun[0]!.resolve('found');
  expect(await Promise.all(both)).toEqual(['found', 'found']);
  vi.advanceTimersByTime(899);
  expect(await memory.get('a', load)).toBe('found');
  expect(begun).toHaveLength(1);
});

test('the lifetime counts from before the look-up began, however long that takes', () => {
  const { begun, load } = loads();
  const memory = createTtlCache<string>({ lifetimeMs: 900, capacity: 10 });
  const slow = () => {
    vi.advanceTimersByTime(600);
    return load();
  };
  void memory.get('a', slow);
  vi.advanceTimersByTime(301);
  void memory.get('a', load);
  expect(begun).toHaveLength(2);
});

test('a failure reaches all who wait for it and is not remembered', async () => {
  const { begun, load } = loads();
  const memory = createTtlCache<string>({ lifetimeMs: 900, capacity: 10 });
  const both = Promise.allSettled([memory.get('a', load), memory.get('a', load)]);
  begun[0]!.reject(new Error('lost'));
  expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  void memory.get('a', load);
  expect(begun).toHaveLength(2);
});

test('a failure of an expired look-up does not make its successor forgotten', async () => {
  const { begun, load } = loads();
  const memory = createTtlCache<string>({ lifetimeMs: 900, capacity: 10 });
  const first = Promise.allSettled([memory.get('a', load)]);
  vi.advanceTimersByTime(901);
  void memory.get('a', load);
  begun[0]!.reject(new Error('lost'));
  await first;
  void memory.get('a', load);
  expect(begun).toHaveLength(2);
});

test('when full, what was not used for longest makes room', () => {
  const { begun, load } = loads();
  const memory = createTtlCache<string>({ lifetimeMs: 900, capacity: 2 });
  for (const key of ['a', 'b', 'a', 'c', 'a']) void memory.get(key, load);
  expect(begun).toHaveLength(3);
  void memory.get('b', load);
  expect(begun).toHaveLength(4);
});
