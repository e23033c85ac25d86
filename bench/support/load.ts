import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOptions, LoadReport, LoadTask } from './load-protocol.ts';

/** A load generator in a process of its own. */
export type Load = {
  /** @throws Error if a connection breaks, or if an answer is no 200 */
  run(task: LoadTask): Promise<LoadReport>;
  stop(): Promise<void>;
};

type Message = { readonly ready?: boolean; readonly report?: LoadReport; readonly error?: string };

/** Starts a load generator; it connects for each task anew. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const child = fork(join(import.meta.dirname, 'load-generator.ts'), [JSON.stringify(options)]);
  const nextMessage = async (): Promise<Message> => {
    const exited = once(child, 'exit').then(() => ({ error: 'The load generator has ended.' }));
    return Promise.race([once(child, 'message').then(([message]) => message as Message), exited]);
  };
  const { error } = await nextMessage();
  if (error !== undefined) throw new Error(error);
  return {
    async run(task) {
      const answer = nextMessage();
      child.send(task);
      const { report, error } = await answer;
      if (report === undefined) throw new Error(error);
      if (report.failures > 0)
        throw new Error(`${report.failures} requests failed; the first:\n${report.firstFailure}`);
      return report;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
