import type { Writable } from 'node:stream';

/** Gathers what is sent on a connection. */
export type Gatherer = {
  /** Call it in front of each statement. */
  gather(): void;
  /** Call it behind the answer to each. */
  answer(): void;
};

/**
 * What is sent between now and the next time that this process waits leaves in one piece: a system call for each statement
 * was a quarter of what a read costs, and each woke PostgreSQL. With `inStep` it waits besides until nothing is unanswered.
 */
export function gatherer(stream: Pick<Writable, 'cork' | 'uncork'>, inStep: () => boolean): Gatherer {
  let gathering = false;
  /** Statements since the stream was corked, and before that without an answer. */
  let gathered = 0;
  let unanswered = 0;

  function leaveSoon(): void {
    // Not a microtask: what the answers to earlier statements lead to is sent in those.
    process.nextTick(() => {
      if (!gathering || (unanswered > 0 && inStep())) return;
      gathering = false;
      unanswered += gathered;
      gathered = 0;
      stream.uncork();
    });
  }

  return {
    gather() {
      gathered += 1;
      if (gathering) return;
      gathering = true;
      stream.cork();
      leaveSoon();
    },
    answer() {
      unanswered -= 1;
      if (gathering && unanswered === 0 && inStep()) leaveSoon();
    },
  };
}
