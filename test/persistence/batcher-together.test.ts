import { describe, expect, test } from 'vitest';
import { createBatcher, type RunBatch, type Together } from '../../src/persistence/batching/batcher.ts';
import { databaseBusy, databaseUnavailable } from '../../src/persistence/connections/failures.ts';

describe('a batcher whose clients may share a batch', () => {
  /** The batches that ran: one client alone, or several, each with its jobs. */
  function shared(runTogether?: Together<number, number>['run'], concurrency = 1) {
    const ran: Array<ReadonlyArray<readonly [string, readonly number[]]>> = [];
    const times = (jobs: readonly number[]) => jobs.map((job) => job * 10);
    const batcher = createBatcher<number, number>({
      concurrency,
      batchMax: 200,
      async run(clientId, jobs) {
        ran.push([[clientId, jobs]]);
        await new Promise(setImmediate);
        return times(jobs);
      },
      together: {
        clientsMax: 3,
        jobsMax: 2,
        mayJoin: (clientId) => clientId !== 'large',
        async run(clients) {
          ran.push(clients.map(({ clientId, jobs }) => [clientId, jobs] as const));
          await new Promise(setImmediate);
          return runTogether ? runTogether(clients) : clients.map(({ jobs }) => times(jobs));
        },
      },
    });
    return { ran, batcher };
  }

  test('small ones of those who wait run as one, as many as there may be, and a client alone runs at once', async () => {
    const { ran, batcher } = shared();
    const results = ['first', 'a', 'b', 'b', 'c', 'd'].map((client, index) => batcher.submit(client, index));
    expect(await Promise.all(results)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(ran).toEqual([
      [['first', [0]]],
      [
        ['a', [1]],
        ['b', [2, 3]],
        ['c', [4]],
      ],
      [['d', [5]]],
    ]);
  });

  test('a client with many jobs, or with expensive ones, runs by itself', async () => {
    const { ran, batcher } = shared();
    const results = ['first', 'a', 'many', 'many', 'many', 'large', 'b'].map((client, index) =>
      batcher.submit(client, index),
    );
    await Promise.all(results);
    expect(ran).toEqual([
      [['first', [0]]],
      [
        ['a', [1]],
        ['b', [6]],
      ],
      [['many', [2, 3, 4]]],
      [['large', [5]]],
    ]);
  });

  test('a client of which a batch is under way joins no other', async () => {
    const batches: Array<{ jobs: readonly number[]; release: () => void }> = [];
    const run: RunBatch<number, number> = (_, jobs) =>
      new Promise((resolve) => batches.push({ jobs, release: () => resolve(jobs.map((job) => job * 10)) }));
    const clients: string[][] = [];
    const batcher = createBatcher<number, number>({
      concurrency: 2,
      batchMax: 200,
      run,
      together: {
        clientsMax: 3,
        jobsMax: 2,
        mayJoin: () => true,
        async run(shares) {
          clients.push(shares.map(({ clientId }) => clientId));
          return shares.map(({ jobs }) => [...jobs]);
        },
      },
    });
    const results = ['a', 'b', 'a', 'c', 'd'].map((client, index) => batcher.submit(client, index));
    batches[1]!.release();
    expect(await Promise.all([results[3], results[4]])).toEqual([3, 4]);
    expect(clients).toEqual([['c', 'd']]);
    await expect.poll(() => batches.map((batch) => batch.jobs)).toEqual([[0], [1], [2]]);
    for (const batch of batches) batch.release();
    expect(await Promise.all(results.slice(0, 3))).toEqual([0, 10, 20]);
  });

  test('when a batch of several fails each runs by itself, once, and may share again afterwards', async () => {
    let failures = 1;
    const { ran, batcher } = shared(async (clients) => {
      if (failures-- > 0) throw new Error('one of them');
      return clients.map(({ jobs }) => jobs.map((job) => job * 10));
    });
    const results = ['first', 'a', 'b'].map((client, index) => batcher.submit(client, index));
    expect(await Promise.all(results)).toEqual([0, 10, 20]);
    expect(ran.slice(2)).toEqual([[['a', [1]]], [['b', [2]]]]);
    const again = ['first', 'a', 'b'].map((client, index) => batcher.submit(client, index));
    expect(await Promise.all(again)).toEqual([0, 10, 20]);
    expect(ran.at(-1)).toHaveLength(2);
  });

  test('an outage answers all of them without trying each client, and two that met in the database are tried', async () => {
    const outage = databaseUnavailable(new Error('no route'));
    const away = shared(async () => Promise.reject(outage));
    const results = await Promise.allSettled(['first', 'a', 'b'].map((client) => away.batcher.submit(client, 1)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(away.ran).toHaveLength(2);

    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const met = shared(async () => Promise.reject(databaseBusy(deadlock)));
    expect(await Promise.all(['first', 'a', 'b'].map((client) => met.batcher.submit(client, 1)))).toEqual([10, 10, 10]);
  });

  test('what a batch of several leaves off runs later', async () => {
    const { ran, batcher } = shared(async (clients) =>
      clients.map(({ jobs }) => jobs.slice(0, 1).map((job) => job * 10)),
    );
    const results = ['first', 'a', 'a', 'b'].map((client, index) => batcher.submit(client, index));
    expect(await Promise.all(results)).toEqual([0, 10, 20, 30]);
    expect(ran.at(-1)).toEqual([['a', [2]]]);
    await batcher.idle();
  });
});
