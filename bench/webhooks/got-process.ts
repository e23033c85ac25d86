import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Workbench } from '../support/workbench.ts';

/** Requests to send. */
export type GotTask = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
  /** Each of so many sends its next request when the last one is answered. */
  readonly concurrency: number;
  /** Whether connections serve for more than one request. Ours never do: each address is vetted when it is connected to. */
  readonly keepAlive: boolean;
};

/** Starts a process that sends by a bare loop over `got`. Its function resolves when the last request is answered. */
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
