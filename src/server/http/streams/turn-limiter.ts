/** Runs tasks at once, or in a later turn of the event loop when this turn has reached its limit. */
export type TurnLimiter<Of> = {
  /** @param of the owner of the task; owners are served in turn */
  run(of: Of, begin: () => void): void;
  /** The number of waiting tasks, of all owners or of one. */
  waiting(of?: Of): number;
};

/**
 * Starts at most `perTurn` tasks in a turn of the event loop. Other callers are served between two turns, so that a caller with many tasks
 * does not delay them.
 */
export function createTurnLimiter<Of>(perTurn: number): TurnLimiter<Of> {
  const queues = new Map<Of, (() => void)[]>();
  let waiting = 0;
  let left = perTurn;
  let isSet = false;

  function nextTurn(): void {
    isSet = false;
    left = perTurn;
    // The iteration of a Map also visits entries that are added again meanwhile: each owner has a turn before any has a second.
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
