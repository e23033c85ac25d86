import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from '../../src/kernel/concurrency/fair-queue.ts';

const anybody = () => true;

/** Serves clients in turn, `count` items each time, until no client that may be served waits. */
function serveAll(queue: FairQueue<number>, count: number, mayBeServed: (clientId: string) => boolean = anybody) {
  const served: Array<[string, ...number[]]> = [];
  for (let client = queue.next(mayBeServed); client !== undefined; client = queue.next(mayBeServed)) {
    served.push([client, ...queue.take(client, count)]);
  }
  return served;
}

function queueOf(...items: ReadonlyArray<readonly [clientId: string, item: number]>): FairQueue<number> {
  const queue = createFairQueue<number>();
  for (const [clientId, item] of items) queue.add(clientId, item);
  return queue;
}

test('a client with much that waits delays the others by one piece of work, not by all of it', () => {
  const queue = queueOf(
    ['noisy', 1],
    ['noisy', 2],
    ['noisy', 3],
    ['noisy', 4],
    ['noisy', 5],
    ['quiet', 6],
    ['late', 7],
  );
  expect(serveAll(queue, 2)).toEqual([
    ['noisy', 1, 2],
    ['quiet', 6],
    ['late', 7],
    ['noisy', 3, 4],
    ['noisy', 5],
  ]);
  expect(queue.size).toBe(0);
});

test('a client that comes back goes behind those that wait, however soon it comes', () => {
  const queue = queueOf(['a', 1], ['b', 2]);
  expect(queue.take('a', 1)).toEqual([1]);
  queue.add('a', 3);
  expect(serveAll(queue, 1)).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
});

test('a client that may not be served keeps its place, and nobody waits for it', () => {
  const queue = queueOf(['full', 1], ['b', 2], ['c', 3]);
  expect(serveAll(queue, 1, (client) => client !== 'full')).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  queue.add('b', 4);
  expect(queue.next(anybody)).toBe('full');
});

test('what is put back comes before what came later, and keeps the place of its client', () => {
  const queue = queueOf(['a', 1], ['a', 2], ['b', 3]);
  const taken = queue.take('a', 2);
  queue.add('a', 4);
  queue.add('c', 5);
  queue.putBack('a', taken);
  queue.putBack('nobody', []);
  expect(queue.size).toBe(3);
  expect(serveAll(queue, 3)).toEqual([
    ['b', 3],
    ['a', 1, 2, 4],
    ['c', 5],
  ]);
});

test('an item that is removed is never served, and a client of which nothing is left does not wait', () => {
  const queue = queueOf(['a', 1], ['a', 2], ['a', 3], ['b', 4]);
  queue.remove('a', 2);
  queue.remove('a', 2);
  queue.remove('b', 4);
  queue.remove('nobody', 5);
  expect(queue.size).toBe(1);
  expect(serveAll(queue, 9)).toEqual([['a', 1, 3]]);
});

test('what clients use is counted by client and in all, whether or not they wait', () => {
  const queue = queueOf(['a', 1]);
  queue.use('a', 2);
  queue.use('b', 3);
  queue.use('a', -1);
  expect([queue.usedBy('a'), queue.usedBy('b'), queue.usedBy('c'), queue.used]).toEqual([1, 3, 0, 4]);
  queue.use('a', -1);
  queue.use('b', -3);
  expect([queue.usedBy('a'), queue.usedBy('b'), queue.used]).toEqual([0, 0, 0]);
});

/** The simplest version: waiting clients in one list, their items in another. */
function createModel() {
  let line: string[] = [];
  let items: Array<{ readonly clientId: string; readonly item: number }> = [];
  const uses: string[] = [];
  const of = (clientId: string) => items.filter((each) => each.clientId === clientId).map(({ item }) => item);
  const settle = (clientId: string) => {
    if (of(clientId).length === 0) line = line.filter((each) => each !== clientId);
    else if (!line.includes(clientId)) line.push(clientId);
  };
  return {
    of,
    line: () => line,
    usedBy: (clientId: string) => uses.filter((each) => each === clientId).length,
    used: () => uses.length,
    use(clientId: string, amount: number) {
      for (let more = 0; more < amount; more += 1) uses.push(clientId);
      for (let less = 0; less > amount; less -= 1) uses.splice(uses.indexOf(clientId), 1);
    },
    add(clientId: string, item: number) {
      items.push({ clientId, item });
      settle(clientId);
    },
    putBack(clientId: string, again: readonly number[]) {
      items.unshift(...again.map((item) => ({ clientId, item })));
      settle(clientId);
    },
    remove(clientId: string, item: number) {
      items = items.filter((each) => each.clientId !== clientId || each.item !== item);
      settle(clientId);
    },
    take(clientId: string, count: number) {
      const taken = of(clientId).slice(0, count);
      items = items.filter((each) => each.clientId !== clientId || !taken.includes(each.item));
      if (taken.length > 0) line = line.filter((each) => each !== clientId);
      settle(clientId);
      return taken;
    },
  };
}

const clientId = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), clientId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('serve' as const), count: fc.integer({ min: 0, max: 3 }) }) },
  fc.record({ do: fc.constant('putBack' as const) }),
  fc.record({ do: fc.constant('remove' as const), clientId, index: fc.nat({ max: 4 }) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('free' as const), clientId }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test('whatever comes, is served, given back or removed: order, place and use are those of the plainest lists', () => {
  const play = (steps: readonly Step[], limit: number) => {
    const queue = createFairQueue<number>();
    const model = createModel();
    const mayBeServed = (client: string) => queue.usedBy(client) < limit;
    let items = 0;
    let last: { readonly clientId: string; readonly taken: readonly number[] } | undefined;
    for (const each of steps) {
      if (each.do === 'add') {
        items += 1;
        queue.add(each.clientId, items);
        model.add(each.clientId, items);
      } else if (each.do === 'serve') {
        const next = queue.next(mayBeServed);
        expect(next).toBe(model.line().find((client) => model.usedBy(client) < limit));
        if (next === undefined) continue;
        const taken = queue.take(next, each.count);
        expect(taken).toEqual(model.take(next, each.count));
        queue.use(next, 1);
        model.use(next, 1);
        last = { clientId: next, taken };
      } else if (each.do === 'putBack') {
        if (last === undefined) continue;
        queue.putBack(last.clientId, last.taken);
        model.putBack(last.clientId, last.taken);
        last = undefined;
      } else if (each.do === 'remove') {
        const item = model.of(each.clientId)[each.index] ?? -1;
        queue.remove(each.clientId, item);
        model.remove(each.clientId, item);
      } else if (model.usedBy(each.clientId) > 0) {
        queue.use(each.clientId, -1);
        model.use(each.clientId, -1);
      }
      expect(queue.size).toBe(model.line().length);
      expect(queue.used).toBe(model.used());
      for (const client of ['a', 'b', 'c', 'd']) {
        expect(queue.waitingOf(client)).toEqual(model.of(client));
        expect(queue.usedBy(client)).toBe(model.usedBy(client));
      }
    }
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 3 }), play));
});
