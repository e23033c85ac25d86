import { expect, test } from 'vitest';
import { firstIdAt } from '../../../src/kernel/ids.ts';
import { createSendScheduler, type SendBatch } from '../../../src/webhooks/delivery/send-scheduler.ts';
import type { ClaimedMessage, FinishedAttempt } from '../../../src/webhooks/outbox/claimed-message.ts';

/** A scheduler whose batches each wait for an answer; `batches` has all started ones, in order. */
function heldBatches(concurrency: number) {
  const batches: SendBatch[] = [];
  const answers: PromiseWithResolvers<readonly ClaimedMessage[]>[] = [];
  const sent: ClaimedMessage[] = [];
  const scheduler = createSendScheduler({
    concurrency,
    take(batch) {
      batches.push(batch);
      answers.push(Promise.withResolvers());
      return answers.at(-1)!.promise;
    },
  });
  const settle = () => new Promise(setImmediate);
  return {
    scheduler,
    batches,
    /** The clients of all batches so far. */
    order: () => batches.map(({ flow }) => flow),
    /** The batch claimed this number of messages, which are then being sent. */
    async claimed(batch: number, count: number) {
      const { flow: clientId } = batches[batch]!;
      const messages = Array.from({ length: count }, (_, index) => {
        return { id: firstIdAt(new Date(10_000 * (sent.length + index + 1))), clientId } as ClaimedMessage;
      });
      sent.push(...messages);
      answers[batch]!.resolve(messages);
      await settle();
    },
    async failed(batch: number) {
      answers[batch]!.reject(new Error('the database is away'));
      await settle();
    },
    /** The oldest messages in flight were answered. */
    async answered(count: number) {
      for (const message of sent.splice(0, count)) {
        scheduler.finished({ message, attempt: { outcome: 'DELIVERED' } } as FinishedAttempt);
      }
      await settle();
    },
  };
}

test('clients claim one after the other: who comes back with more waits for those who came meanwhile', async () => {
  const { scheduler, order, claimed } = heldBatches(256);
  for (const client of ['noisy', 'a', 'b', 'c', 'd', 'e']) scheduler.requestClaim(client);
  expect(order()).toEqual(['noisy', 'a', 'b', 'c']);
  await claimed(0, 1);
  scheduler.requestClaim('noisy');
  await claimed(1, 0);
  await claimed(2, 0);
  expect(order()).toEqual(['noisy', 'a', 'b', 'c', 'd', 'e', 'noisy']);
});

test('what a client has in flight counts against its window and against all, and comes free with its outcome', async () => {
  const { scheduler, batches, claimed, answered } = heldBatches(10);
  scheduler.requestClaim('a');
  await claimed(0, 8);
  scheduler.requestClaim('b');
  scheduler.requestClaim('c');
  expect(batches.map(({ flow, limit }) => [flow, limit])).toEqual([
    ['a', 8],
    ['b', 2],
  ]);
  await claimed(1, 0);
  await answered(1);
  expect(batches.slice(2)).toMatchObject([
    { flow: 'c', limit: 2, outcomes: [] },
    { flow: 'a', limit: 1, outcomes: [{ message: { clientId: 'a' } }] },
  ]);
});

test('an outcome whose batch failed is recorded by a later one, once', async () => {
  const { scheduler, batches, claimed, answered, failed } = heldBatches(256);
  scheduler.requestClaim('a');
  await claimed(0, 1);
  await answered(1);
  expect(batches[1]).toMatchObject({ limit: 0, outcomes: [{ message: { clientId: 'a' } }] });
  await failed(1);
  await expect.poll(() => batches.length).toBe(3);
  expect(batches[2]!.outcomes).toEqual(batches[1]!.outcomes);
  await claimed(2, 0);
  await scheduler.close(10_000);
  expect(batches).toHaveLength(3);
});

test('once it closes nobody claims any more, also where a batch that failed has just left room', async () => {
  const { scheduler, batches, claimed, answered, failed } = heldBatches(9);
  scheduler.requestClaim('a');
  await claimed(0, 8);
  scheduler.requestClaim('failing');
  scheduler.requestClaim('waiting');
  await failed(1);
  const closed = scheduler.close(10_000);
  await answered(8);
  for (let batch = 2; batch < batches.length; batch += 1) await claimed(batch, 0);
  await closed;
  expect(batches.slice(2).map(({ flow, limit }) => [flow, limit])).toEqual([
    ['a', 0],
    ['a', 0],
  ]);
});
