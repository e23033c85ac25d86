import { expect, test } from 'vitest';
import type { ClientCatalog } from '../../../src/campaigns/catalog/catalog.ts';
import { createLargeClients } from '../../../src/triggers/large-clients.ts';

/** A catalogue with this number of missions on one code; only that is read. */
const catalogOf = (missions: number) =>
  ({
    rules: { byCode: new Map([['LOGIN', { plans: Array.from({ length: missions }) }]]) },
  }) as unknown as ClientCatalog;

const catalogs: Record<string, ClientCatalog> = { large: catalogOf(100), ordinary: catalogOf(99) };
const known = { lastKnown: (clientId: string) => catalogs[clientId] };

/** Batches that end when the test says so, by name. */
function batches(triggerConcurrency: number) {
  const largeClients = createLargeClients(known, triggerConcurrency);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    run(clientId: string, name: string) {
      return largeClients.run(clientId, () => {
        begun.push(name);
        ends.set(name, Promise.withResolvers());
        return ends.get(name)!.promise;
      });
    },
    end: (name: string) => ends.get(name)!.resolve(name),
    fail: (name: string) => ends.get(name)!.reject(new Error(name)),
  };
}

test('batches of a large client take turns at half of the slots, in order', async () => {
  const { begun, run, end } = batches(4);
  const all = ['a', 'b', 'c', 'd'].map((name) => run('large', name));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  expect(await all[1]).toBe('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('a large client has one batch at a time where there is one slot, or two', () => {
  for (const slots of [1, 2]) {
    const { begun, run } = batches(slots);
    for (const name of ['a', 'b']) void run('large', name);
    expect(begun).toEqual(['a']);
  }
});

test('nobody else waits for a large client: not an ordinary one, not one whose catalogue is not known', () => {
  const { begun, run } = batches(2);
  void run('large', 'a');
  for (const clientId of ['ordinary', 'unknown'])
    for (const name of ['1', '2', '3']) void run(clientId, clientId + name);
  expect(begun).toEqual(['a', 'ordinary1', 'ordinary2', 'ordinary3', 'unknown1', 'unknown2', 'unknown3']);
});

test('a batch that fails gives its turn to the next, and its error to its caller', async () => {
  const { begun, run, end, fail } = batches(2);
  const [first, second] = [run('large', 'a'), run('large', 'b')];
  fail('a');
  await expect(first).rejects.toThrow('a');
  await expect.poll(() => begun).toEqual(['a', 'b']);
  end('b');
  expect(await second).toBe('b');
});
