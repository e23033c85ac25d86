import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPoller } from '../../src/persistence/polling/poller.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A poller whose looks each wait for an answer: `looks` has the waiting ones, `found` the results of the others. */
function heldPoller(everyMs = { min: 100, max: 1_000 }) {
  const looks: PromiseWithResolvers<string[]>[] = [];
  const found: string[][] = [];
  const log: string[] = [];
  const poller = createPoller({
    lookUp() {
      looks.push(Promise.withResolvers<string[]>());
      return looks.at(-1)!.promise;
    },
    onFound(clients) {
      found.push(clients);
      return clients.length > 0;
    },
    everyMs,
    logger: pino({}, { write: (line: string) => void log.push(line) }),
    failure: 'the table could not be read',
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    poller,
    looks,
    found,
    log,
    /** Answers the last look. */
    async answer(...clients: string[]) {
      looks.at(-1)!.resolve(clients);
      await settle();
    },
    async fail(error: Error) {
      looks.at(-1)!.reject(error);
      await settle();
    },
    /** Whether the next look comes within a fifth of `ms` after that time, and not before. */
    async comesAfter(ms: number) {
      const before = looks.length;
      await vi.advanceTimersByTimeAsync(0.8 * ms - 1);
      const early = looks.length - before;
      await vi.advanceTimersByTimeAsync(0.4 * ms + 2);
      return early === 0 && looks.length === before + 1;
    },
  };
}

test('it looks at once when it starts, and again soon as long as there is work', async () => {
  const { poller, looks, found, answer, comesAfter } = heldPoller();
  poller.start();
  poller.start();
  expect(looks).toHaveLength(1);
  await answer('a', 'b');
  expect(found).toEqual([['a', 'b']]);
  expect(await comesAfter(100)).toBe(true);
  await answer('a');
  expect(await comesAfter(100)).toBe(true);
});

test('in vain it looks ever more rarely, but not more rarely than it may, and soon again once there is work', async () => {
  const { poller, answer, comesAfter } = heldPoller();
  poller.start();
  for (const ms of [200, 400, 800, 1_000, 1_000]) {
    await answer();
    expect(await comesAfter(ms)).toBe(true);
  }
  await answer('a');
  expect(await comesAfter(100)).toBe(true);
});

test('a look that fails is logged, and the next one comes', async () => {
  const { poller, log, found, answer, fail, comesAfter } = heldPoller({ min: 500, max: 500 });
  poller.start();
  await fail(new Error('no route'));
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, msg: 'the table could not be read', err: { message: 'no route' } },
  ]);
  expect(await comesAfter(500)).toBe(true);
  await answer('a');
  expect(found).toEqual([['a']]);
});

test('it never polls twice at once: a request during a poll gets a poll after it', async () => {
  const { poller, looks, answer } = heldPoller();
  poller.start();
  poller.poll();
  poller.poll();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(1);
  await answer();
  expect(looks).toHaveLength(2);
  await answer();
  expect(looks).toHaveLength(2);
});

test('a look that was asked for takes the place of the next one', async () => {
  const { poller, looks, answer, comesAfter } = heldPoller({ min: 500, max: 500 });
  poller.start();
  await answer();
  await vi.advanceTimersByTimeAsync(300);
  poller.poll();
  expect(looks).toHaveLength(2);
  await answer();
  expect(await comesAfter(500)).toBe(true);
});

test('before it starts it looks only when it is asked to', async () => {
  const { poller, looks, answer } = heldPoller();
  poller.poll();
  await answer('a');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(1);
});

test('once it is to stop nothing begins any more, and it has stopped when the look under way has ended', async () => {
  const { poller, looks, found, answer } = heldPoller();
  poller.start();
  let isOver = false;
  const stopped = poller.stop().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOver).toBe(false);
  await answer('a');
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  poller.poll();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(found).toEqual([]);
  expect(looks).toHaveLength(1);
});

test('stopped between two looks it looks no more', async () => {
  const { poller, looks, answer } = heldPoller();
  poller.start();
  await answer();
  await poller.stop();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(1);
});
