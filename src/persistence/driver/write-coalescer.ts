import type { Writable } from 'node:stream';

/** Gathers what is sent on a connection. */
export type WriteCoalescer = {
  /** Call it in front of each statement. */
  beforeStatement(): void;
  /** Call it behind the answer to each. */
  afterAnswer(): void;
};

/**
 * What is sent between now and the next time that this process waits leaves in one piece: a system call for each statement
 * was a quarter of what a read costs, and each woke PostgreSQL. With `awaitsAnswers` it waits besides until nothing is unanswered.
 */
export function createWriteCoalescer(
  stream: Pick<Writable, 'cork' | 'uncork'>,
  awaitsAnswers: () => boolean,
): WriteCoalescer {
  let gathering = false;
  /** Statements since the stream was corked, and before that without an answer. */
  let gathered = 0;
  let unanswered = 0;

  function leaveSoon(): void {
    // Not a microtask: what the answers to earlier statements lead to is sent in those.
    process.nextTick(() => {
      if (!gathering || (unanswered > 0 && awaitsAnswers())) return;
      gathering = false;
      unanswered += gathered;
      gathered = 0;
      stream.uncork();
    });
  }

  return {
    beforeStatement() {
      gathered += 1;
      if (gathering) return;
      gathering = true;
      stream.cork();
      leaveSoon();
    },
    afterAnswer() {
      unanswered -= 1;
      if (gathering && unanswered === 0 && awaitsAnswers()) leaveSoon();
    },
  };
}
