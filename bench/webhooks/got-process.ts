import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Workbench } from '../support/workbench.ts';

/** Requests to send. */
export type GotTask = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
  /** The number of concurrent senders; each sends its next request after the last answer. */
  readonly concurrency: number;
  /** Whether a connection serves more than one request. The service's connections never do: it checks each address at the connection. */
  readonly keepAlive: boolean;
};

/** Starts a process that sends by a bare loop over `got`. Its function resolves with the last answer. */
export async function startGotProcess({ cleanUps }: Workbench): Promise<(task: GotTask) => Promise<void>> {
  const child = fork(join(import.meta.dirname, 'got-loop.ts'));
  const exited = once(child, 'exit');
  cleanUps.push(async () => {
    child.kill();
    await exited;
  });
  const nextMessage = async (): Promise<void> => {
    const gone = exited.then(() => ({ error: 'The loop has ended.' }));
    const message = once(child, 'message').then(([message]) => message as { error?: string });
    const { error } = await Promise.race([message, gone]);
    if (error !== undefined) throw new Error(error);
  };
  await nextMessage();
  return async (task) => {
    const done = nextMessage();
    child.send(task);
    await done;
  };
}
