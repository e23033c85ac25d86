// Runs in a separate process and takes tasks over the channel to its parent: a number of requests by `got`, in the usual form of a team,
// without an outbox, a delivery log or checks of the target address.
import http from 'node:http';
import got from 'got';
import type { GotTask } from './got-process.ts';
import { webhookBody } from './webhook-body.ts';

process.on('message', (task: GotTask) => {
  runTask(task).then(
    () => process.send?.({}),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.send?.({});

async function runTask({ endpoint, headers, count, concurrency, keepAlive }: GotTask): Promise<void> {
  const agent = { http: new http.Agent({ keepAlive }) };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await got.post(endpoint, { agent, headers, body: webhookBody(next++), retry: { limit: 0 } });
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  agent.http.destroy();
}
