/** Runs what is handed to it: at once, or, when this turn of the event loop has had its number, in a later turn. */
export type TurnLimiter<Of> = {
  /** @param of whose it is; everyone has a turn before somebody has a second */
  run(of: Of, begin: () => void): void;
  /** How many wait; of everyone, or of one. */
  waiting(of?: Of): number;
};

/**
 * Begins at most `perTurn` things in a turn of the event loop, so that callers who ask for much get what the machine can do and
 * nobody else waits for them: between two turns everybody else is served. It never waits while there is nothing else to do.
 */
export function createTurnLimiter<Of>(perTurn: number): TurnLimiter<Of> {
  const queues = new Map<Of, (() => void)[]>();
  let waiting = 0;
  let left = perTurn;
  let isSet = false;

  function nextTurn(): void {
    isSet = false;
    left = perTurn;
    // A Map visits what is put in again while it is walked: everyone has a turn before somebody has a second.
    for (const [of, queue] of queues) {
      if (left === 0) break;
      queues.delete(of);
      const begin = queue.shift()!;
      if (queue.length > 0) queues.set(of, queue);
      waiting -= 1;
      left -= 1;
      begin();
    }
    if (waiting > 0) setTurn();
  }

  function setTurn(): void {
    if (isSet) return;
    isSet = true;
    setImmediate(nextTurn);
  }

  return {
    run(of, begin) {
      setTurn();
      if (left > 0 && waiting === 0) {
        left -= 1;
        begin();
        return;
      }
      waiting += 1;
      const queue = queues.get(of);
      if (queue === undefined) queues.set(of, [begin]);
      else queue.push(begin);
    },
    waiting: (of) => (of === undefined ? waiting : (queues.get(of)?.length ?? 0)),
  };
}
