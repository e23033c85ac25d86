// Runs in a separate process and takes tasks over the channel to its parent.
import type { Caller, OpenCallers } from './callers.ts';
import type { LoadOptions, LoadReport, LoadTask, RequestSource } from './load-protocol.ts';
import { quantile } from './statistics.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
const { default: source } = (await import(options.source)) as { default: RequestSource<unknown, unknown> };
const callersOf = options.protocol === 'grpc' ? './grpc-callers.ts' : './http1-callers.ts';
const { default: openCallers } = (await import(callersOf)) as { default: OpenCallers<unknown> };
const next = source(options.sourceOptions);

process.on('message', (task: LoadTask) => {
  runTask(task).then(
    (report) => process.send?.({ report }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.send?.({ ready: true });

/** Sends until the end of the time, then waits for the last answers, so that the answered requests are the completed ones. */
async function runTask({ connections, seconds, rate }: LoadTask): Promise<LoadReport> {
  const counts: Counts = { latencies: [], answered: 0, failures: 0, firstFailure: undefined };
  const { promise: broken, reject: onError } = Promise.withResolvers<never>();
  const { host, port } = options;
  const callers = await Promise.race([openCallers({ host, port, count: connections, next, onError }), broken]);
  const processorBefore = process.cpuUsage();
  const end = performance.now() + seconds * 1_000;
  const called = rate === undefined ? callAlways(callers, end, counts) : callAtRate(callers, end, rate, counts);
  await Promise.race([called, broken]);
  const processor = process.cpuUsage(processorBefore);
  for (const caller of callers) caller.close();
  const sorted = Float64Array.from(counts.latencies).sort();
  return {
    answered: counts.answered,
    perSecond: sorted.length / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    failures: counts.failures,
    firstFailure: counts.firstFailure,
    processorSeconds: (processor.user + processor.system) / 1e6,
  };
}

type Counts = { latencies: number[]; answered: number; failures: number; firstFailure: string | undefined };

/** Runs each caller one call after the other. Resolves with the last answer after `end`. */
async function callAlways(callers: readonly Caller[], end: number, counts: Counts): Promise<void> {
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < end) await call(caller, performance.now(), end, counts);
    }),
  );
}

/**
 * Calls at a steady rate, by the caller that has been free for longest: a server closes idle connections. Resolves when all are answered.
 */
async function callAtRate(callers: readonly Caller[], end: number, rate: number, counts: Counts): Promise<void> {
  const free = [...callers];
  const underWay = new Set<Promise<void>>();
  const gap = 1_000 / rate;
  let due = performance.now();
  while (due < end) {
    const now = performance.now();
    while (due <= now && due < end && free.length > 0) {
      const caller = free.shift()!;
      const answered = call(caller, due, end, counts).then(() => {
        free.push(caller);
        underWay.delete(answered);
      });
      underWay.add(answered);
      due += gap;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(underWay);
}

function call(caller: Caller, sentAt: number, end: number, counts: Counts): Promise<void> {
  return new Promise((resolve) => {
    caller.call((failure) => {
      const now = performance.now();
      // Answers after the end are counted, but not in the rate.
      if (now <= end) counts.latencies.push(now - sentAt);
      count(failure, counts);
      resolve();
    });
  });
}

function count(failure: string | undefined, counts: Counts): void {
  if (failure === undefined) {
    counts.answered += 1;
    return;
  }
  counts.failures += 1;
  counts.firstFailure ??= failure;
}
