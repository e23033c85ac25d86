import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/kernel/errors/domain-error.ts';
import { databaseUnavailable, tookTooLong } from '../../src/persistence/connections/failures.ts';
import { createBatcher, type RunBatch } from '../../src/persistence/batching/batcher.ts';

/** A run that records its batches, and holds each until it is released. */
function heldRuns() {
  const batches: Array<{ clientId: string; jobs: readonly number[]; release: () => void }> = [];
  const run: RunBatch<number, number> = (clientId, jobs) =>
    new Promise((resolve) => {
      batches.push({ clientId, jobs, release: () => resolve(jobs.map((job) => job * 10)) });
    });
  return { batches, run };
}

describe('the batcher', () => {
  test('a lone job starts at once, those that arrive meanwhile share the next batch', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 1, batchMax: 200, run });
    const results = [1, 2, 3].map((job) => batcher.submit('a', job));
    expect(batches.map((batch) => batch.jobs)).toEqual([[1]]);
    batches[0]!.release();
    expect(await results[0]).toBe(10);
    await new Promise(setImmediate);
    expect(batches.map((batch) => batch.jobs)).toEqual([[1], [2, 3]]);
    batches[1]!.release();
    expect(await Promise.all(results)).toEqual([10, 20, 30]);
  });

  test('clients take turns, so a noisy one delays the others by one batch at most', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 1, batchMax: 2, run });
    const jobs = [1, 2, 3, 4, 5, 6].map((job) => batcher.submit('noisy', job));
    jobs.push(batcher.submit('quiet', 7));
    for (let turn = 0; turn < 5 && turn < batches.length; turn += 1) {
      batches[turn]!.release();
      await new Promise(setImmediate);
    }
    await Promise.all(jobs);
    expect(batches.map((batch) => [batch.clientId, ...batch.jobs])).toEqual([
      ['noisy', 1],
      ['noisy', 2, 3],
      ['quiet', 7],
      ['noisy', 4, 5],
      ['noisy', 6],
    ]);
  });

  test('a batch that stands still gives its slot to other clients, and its client waits for it', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 1, slowMs: 1, batchMax: 200, run });
    const held = [batcher.submit('held', 1), batcher.submit('held', 2)];
    const other = batcher.submit('other', 3);
    await expect.poll(() => batches.length).toBe(2);
    batches[1]!.release();
    expect(await other).toBe(30);
    expect(batches.map((batch) => [batch.clientId, ...batch.jobs])).toEqual([
      ['held', 1],
      ['other', 3],
    ]);
    batches[0]!.release();
    await expect.poll(() => batches.length).toBe(3);
    batches[2]!.release();
    expect(await Promise.all(held)).toEqual([10, 20]);
    await batcher.idle();
  });

  test('a client never has more batches under way than there are batcher, however long they take', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 2, slowMs: 1, stuckMs: 60_000, batchMax: 1, run });
    const jobs = [1, 2, 3].map((job) => batcher.submit('large', job));
    await expect.poll(() => batches.length).toBe(2);
    // Both are slow while four others run beside them: two in the slots, and two slow ones.
    jobs.push(...['a', 'b', 'c', 'd'].map((client) => batcher.submit(client, 1)));
    await expect.poll(() => batches.length).toBe(6);
    expect(batches.map(({ clientId }) => clientId)).toEqual(['large', 'large', 'a', 'b', 'c', 'd']);
    batches[0]!.release();
    await expect.poll(() => batches.at(-1)!.clientId).toBe('large');
    for (const batch of batches) batch.release();
    expect(await Promise.all(jobs)).toEqual([10, 20, 30, 10, 10, 10, 10]);
  });

  test('a client whose batch stands still gets no other slot, even if one is free, until it has ended', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 2, slowMs: 1, stuckMs: 20, batchMax: 1, run });
    const first = batcher.submit('held', 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = batcher.submit('held', 2);
    expect(batches).toHaveLength(1);
    batches[0]!.release();
    await expect.poll(() => batches.length).toBe(2);
    batches[1]!.release();
    expect(await Promise.all([first, second])).toEqual([10, 20]);
  });

  test('a batch that found too many slow ones leaves its slot as soon as one of those has ended', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 1, slowMs: 1, batchMax: 1, run });
    const jobs = ['a', 'b', 'c', 'd'].map((client) => batcher.submit(client, 1));
    await expect.poll(() => batches.length).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    batches[0]!.release();
    await expect.poll(() => batches.length).toBe(4);
    for (const batch of batches) batch.release();
    expect(await Promise.all(jobs)).toEqual([10, 10, 10, 10]);
  });

  test('batches that stand still beside the batcher are limited in number', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 1, slowMs: 1, batchMax: 200, run });
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((client) => batcher.submit(client, 1));
    await expect.poll(() => batches.length).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(batches).toHaveLength(3);
    for (let turn = 0; turn < 5; turn += 1) {
      await expect.poll(() => batches.length).toBeGreaterThan(turn);
      batches[turn]!.release();
    }
    expect(await Promise.all(jobs)).toEqual([10, 10, 10, 10, 10]);
  });

  test('one job at fault fails alone', async () => {
    const batcher = createBatcher<number, number>({
      concurrency: 1,
      batchMax: 10,
      run: async (_clientId, jobs) => {
        if (jobs.includes(2)) throw new Error('two');
        return jobs.map((job) => (job === 3 ? new DomainError('ACCOUNT_NOT_FOUND', 'three') : job));
      },
    });
    const settled = await Promise.allSettled([0, 1, 2, 3, 4].map((job) => batcher.submit('a', job)));
    expect(
      settled.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason.message))),
    ).toEqual([0, 1, 'two', 'three', 4]);
  });

  test('an outage answers the whole batch without trying each job', async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>({
      concurrency: 1,
      batchMax: 10,
      run: async () => {
        runs += 1;
        throw new DomainError('DATABASE_UNAVAILABLE', 'Retry with backoff.');
      },
    });
    const settled = await Promise.allSettled([1, 2, 3].map((job) => batcher.submit('a', job)));
    expect(settled.every((result) => result.status === 'rejected')).toBe(true);
    expect(runs).toBe(2);
  });

  test('jobs that must stay together run in one batch, in their order', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 1, batchMax: 4, run });
    const jobs = [batcher.submit('a', 1), batcher.submit('a', 2), batcher.submit('a', 3)];
    const together = batcher.submitTogether('a', [4, 5, 6]);
    jobs.push(batcher.submit('a', 7));
    for (let turn = 0; turn < 4 && turn < batches.length; turn += 1) {
      batches[turn]!.release();
      await new Promise(setImmediate);
    }
    expect(batches.map((batch) => batch.jobs)).toEqual([[1], [2, 3], [4, 5, 6, 7]]);
    expect(await together).toEqual([40, 50, 60]);
    await Promise.all(jobs);
  });

  test('what a batch leaves off runs in the next one of its client, in order, and behind the other clients', async () => {
    const ran: Array<[string, readonly number[]]> = [];
    const batcher = createBatcher<number, number>({
      concurrency: 1,
      batchMax: 200,
      async run(clientId, jobs) {
        await new Promise(setImmediate);
        const taken = clientId === 'large' ? jobs.slice(0, 2) : jobs;
        ran.push([clientId, taken]);
        return taken.map((job) => job * 10);
      },
    });
    const first = batcher.submit('first', 0);
    const together = batcher.submitTogether('large', [1, 2, 3, 4, 5]);
    const alone = batcher.submit('large', 6);
    const other = batcher.submit('other', 7);
    expect(await together).toEqual([10, 20, 30, 40, 50]);
    expect(await Promise.all([first, alone, other])).toEqual([0, 60, 70]);
    await batcher.idle();
    expect(ran).toEqual([
      ['first', [0]],
      ['large', [1, 2]],
      ['other', [7]],
      ['large', [3, 4]],
      ['large', [5, 6]],
    ]);
  });

  test('a batch that takes too long runs in halves, and what takes too long alone fails alone', async () => {
    const sizes: number[] = [];
    const tooSlow = tookTooLong(Object.assign(new Error('canceling statement'), { code: '57014' }));
    const batcher = createBatcher<number, number>({
      concurrency: 1,
      batchMax: 200,
      async run(_, jobs) {
        sizes.push(jobs.length);
        if (jobs.length > 2 || jobs.includes(3)) throw tooSlow;
        return jobs.map((job) => job * 10);
      },
    });
    expect(await batcher.submitTogether('a', [1, 2, 3, 4, 5, 6, 7])).toEqual([10, 20, tooSlow, 40, 50, 60, 70]);
    expect(sizes).toEqual([7, 4, 2, 2, 1, 1, 3, 2, 1]);
  });

  test('a database that is away is not asked again for every part of a batch', async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>({
      concurrency: 1,
      batchMax: 200,
      async run() {
        runs += 1;
        throw databaseUnavailable(new Error('no route'));
      },
    });
    expect(await batcher.submitTogether('a', [1, 2, 3])).toMatchObject([{}, {}, { code: 'DATABASE_UNAVAILABLE' }]);
    expect(runs).toBe(1);
  });

  test('idle waits for what is queued and running', async () => {
    const { batches, run } = heldRuns();
    const batcher = createBatcher({ concurrency: 2, batchMax: 1, run });
    await batcher.idle();
    const jobs = [1, 2, 3].map((job) => batcher.submit('a', job));
    let idle = false;
    const waited = batcher.idle().then(() => (idle = true));
    batches[0]!.release();
    batches[1]!.release();
    await Promise.all(jobs.slice(0, 2));
    expect(idle).toBe(false);
    batches[2]!.release();
    await waited;
    expect(await jobs[2]).toBe(30);
  });
});
