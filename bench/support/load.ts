import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import type { LoadOptions, LoadReport, LoadTask } from './load-protocol.ts';

/** A load generator in a separate process. */
export type Load = {
  /**
   * @throws Error if a connection breaks, or an answer is no success
   */
  run(task: LoadTask): Promise<LoadReport>;
  stop(): Promise<void>;
};

type Message = { readonly ready?: boolean; readonly report?: LoadReport; readonly error?: string };

/** Starts a load generator; it opens new connections for each task. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const child = fork(join(import.meta.dirname, 'load-generator.ts'), [JSON.stringify(options)]);
  const exited = once(child, 'exit');
  const messages = on(child, 'message', { close: ['exit'] });
  const nextMessage = async (): Promise<Message> => {
    const { value } = (await messages.next()) as IteratorResult<[Message], undefined>;
    return value?.[0] ?? { error: 'The load generator has ended.' };
  };
  const { error } = await nextMessage();
  if (error !== undefined) throw new Error(error);
  return {
    async run(task) {
      child.send(task);
      const { report, error } = await nextMessage();
      if (report === undefined) throw new Error(error);
      if (report.failures > 0)
        throw new Error(`${report.failures} requests failed; the first:\n${report.firstFailure}`);
      return report;
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
