// Runs in a process of its own and takes tasks over the channel to its parent. A bare HTTP/1.1 client over `net`: fetch,
// undici and even node:http cost more per request than the service that is measured, and take it from the same cores.
import { createConnection, type Socket } from 'node:net';
import type { LoadOptions, LoadReport, LoadTask, RequestSource } from './load-protocol.ts';
import { quantile } from './statistics.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
const { default: source } = (await import(options.source)) as { default: RequestSource<unknown> };
const nextRequest = source(options.sourceOptions);

process.on('message', (task: LoadTask) => {
  runTask(task).then(
    (report) => process.send?.({ report }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.send?.({ ready: true });

/** Sends until the time is up, then waits for the last answers, so that what was answered is what was done. */
async function runTask({ connections, seconds }: LoadTask): Promise<LoadReport> {
  const tally = { latencies: [] as number[], answered: 0, failures: 0, firstFailure: undefined as string | undefined };
  const sockets = await Promise.all(Array.from({ length: connections }, connect));
  const processorBefore = process.cpuUsage();
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  await Promise.all(sockets.map((socket) => converse(socket, end, tally)));
  const processor = process.cpuUsage(processorBefore);
  for (const socket of sockets) socket.destroy();
  const sorted = Float64Array.from(tally.latencies).sort();
  return {
    answered: tally.answered,
    perSecond: sorted.length / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    failures: tally.failures,
    firstFailure: tally.firstFailure,
    processorSeconds: (processor.user + processor.system) / 1e6,
  };
}

type Tally = { latencies: number[]; answered: number; failures: number; firstFailure: string | undefined };

function connect(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: options.host, port: options.port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** One request after the other on one connection. Resolves when the last one is answered after `end`. */
function converse(socket: Socket, end: number, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(nextRequest(), 'latin1');
    };
    socket.on('data', (chunk: Buffer) => {
      received = received === '' ? chunk.toString('latin1') : received + chunk.toString('latin1');
      if (!isWhole(received)) return;
      const now = performance.now();
      // Answers after the end are counted, but belong to no second.
      if (now <= end) tally.latencies.push(now - sentAt);
      count(received, tally);
      received = '';
      if (now < end) send();
      else resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The server closed a connection.')));
    send();
  });
}

/** Every answer here states its length; one that does not is waited for until the parent loses patience. */
function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(received)?.[1];
  return length !== undefined && received.length >= headEnd + 4 + Number(length);
}

function count(received: string, tally: Tally): void {
  if (received.startsWith('200', 9)) {
    tally.answered += 1;
    return;
  }
  tally.failures += 1;
  tally.firstFailure ??= received;
}
