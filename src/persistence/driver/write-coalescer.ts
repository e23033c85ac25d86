import type { Writable } from 'node:stream';

/** Gathers what is sent on a connection. */
export type WriteCoalescer = {
  /** Call it in front of each statement. */
  beforeStatement(): void;
  /** Call it behind the answer to each. */
  afterAnswer(): void;
};

/**
 * Statements sent before the process waits again leave in one write: a system call for each statement was a quarter of the cost
 * of a read, and each one woke PostgreSQL. With `awaitsAnswers` the write also waits until every statement is answered.
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
    // After the microtasks: they send the statements that follow from earlier answers.
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
