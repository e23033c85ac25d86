import { expect, test } from 'vitest';
import { atOnce, inTimeSlices, type Steps } from '../../src/kernel/concurrency/time-slices.ts';

/** Uses the processor for some milliseconds in each step. */
function* busy(steps: number, milliseconds: number): Steps<number> {
  for (let step = 0; step < steps; step += 1) {
    for (const end = performance.now() + milliseconds; performance.now() < end;);
    yield;
  }
  return steps;
}

/** Rounds of the event loop for others during `work`. */
async function roundsDuring(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  let rounds = 0;
  for (; !over.signal.aborted; rounds += 1) await new Promise(setImmediate);
  return rounds;
}

test('work in slices lets others run in between, and gives its result', async () => {
  const work = inTimeSlices(busy(20, 5));
  expect(await roundsDuring(work)).toBeGreaterThanOrEqual(20);
  expect(await work).toBe(20);
});

test('of much work in slices one piece goes on in each round, so that many do not add up', async () => {
  const works = Promise.all(Array.from({ length: 5 }, () => inTimeSlices(busy(4, 5))));
  expect(await roundsDuring(works)).toBeGreaterThanOrEqual(20);
});

test('short work waits for nothing', async () => {
  let waited = false;
  setImmediate(() => (waited = true));
  expect(await inTimeSlices(busy(3, 0))).toBe(3);
  expect(waited).toBe(false);
});

test('a failure in a later slice is that of the work', async () => {
  function* failing(): Steps<never> {
    yield* busy(3, 5);
    throw new Error('no');
  }
  await expect(inTimeSlices(failing())).rejects.toThrow('no');
});

test('the same steps at once give the same', () => {
  expect(atOnce(busy(3, 0))).toBe(3);
});
