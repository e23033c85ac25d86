import { parentPort, workerData } from 'node:worker_threads';
import { eventOf } from './callers.ts';

/** The target of the flood, and the credential. */
export type FloodData = { readonly baseUrl: string; readonly apiKey: string };

/** Requests in flight, of each kind. */
const UNDER_WAY = 2;

/** Events in one batch request. */
const BATCH = 10;

/**
 * Asynchronous events, which are cheap to accept: as many wait as one transaction may take, and are applied in parallel with the others.
 */
const ASYNC = 200;

const { baseUrl, apiKey } = workerData as FloodData;
const stopping = new AbortController();
let sent = 0;
const next = () => eventOf((sent += 1));

const applied = Promise.all([
  ...Array.from({ length: UNDER_WAY }, () => over(1, () => send('/gamification/triggers', next()))),
  ...Array.from({ length: UNDER_WAY }, () => over(BATCH, () => send('/gamification/triggers/batch', batch()))),
  ...Array.from({ length: ASYNC }, () => send('/gamification/triggers/async', next()).then(() => 0)),
]).then((counts) => counts.reduce((sum, count) => sum + count, 0));

parentPort!.once('message', () => {
  stopping.abort();
  void applied.then((count) => parentPort!.postMessage(count));
});

function batch() {
  return { triggers: Array.from({ length: BATCH }, next) };
}

async function over(events: number, call: () => Promise<void>): Promise<number> {
  let count = 0;
  for (; !stopping.signal.aborted; count += events) await call();
  return count;
}

/** Sends a request and discards the answer. @throws Error for an answer without success */
async function send(path: string, body: object): Promise<void> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`POST ${path} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  await response.body?.pipeTo(new WritableStream());
}
