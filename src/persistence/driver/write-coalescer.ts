import type { Writable } from 'node:stream';

/** Combines the writes of a connection. */
export type WriteCoalescer = {
  /** Call it before each statement. */
  beforeStatement(): void;
  /** Call it after the answer to each statement. */
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
  let isCorked = false;
  /** Statements since the stream was corked, and before that without an answer. */
  let corkedCount = 0;
  let unanswered = 0;

  function uncorkSoon(): void {
    // After the microtasks: they send the statements that follow from earlier answers.
    process.nextTick(() => {
      if (!isCorked || (unanswered > 0 && awaitsAnswers())) return;
      isCorked = false;
      unanswered += corkedCount;
      corkedCount = 0;
      stream.uncork();
    });
  }

  return {
    beforeStatement() {
      corkedCount += 1;
      if (isCorked) return;
      isCorked = true;
      stream.cork();
      uncorkSoon();
    },
    afterAnswer() {
      unanswered -= 1;
      if (isCorked && unanswered === 0 && awaitsAnswers()) uncorkSoon();
    },
  };
}
