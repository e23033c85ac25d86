import { databaseBusy } from './failures.ts';

/** Who may use a connection of this process next. */
export type ConnectionSlots = {
  /**
   * Runs `work` when the client gets a slot.
   * @throws DomainError `DATABASE_BUSY` when that is not within the time
   */
  run<T>(clientId: string, work: () => Promise<T>): Promise<T>;
};

export type ConnectionSlotsOptions = {
  /** Connections in all. */
  readonly slots: number;
  /** Milliseconds to wait for a slot. */
  readonly timeoutMs: number;
  /** Not a client but the service itself, which may use every connection. */
  readonly unlimited: string;
};

/**
 * Keeps one client from using up the connections: with calls that all wait for the same row it may hold three quarters of
 * them, and the rest stays with the others. Those who wait are let in client by client, not call by call, so that a client
 * with a hundred calls in line does not make one with a single call wait for all of them.
 */
export function createConnectionSlots({ slots, timeoutMs, unlimited }: ConnectionSlotsOptions): ConnectionSlots {
  const most = Math.max(1, Math.floor((slots * 3) / 4));
  // A Map keeps the order of insertion: the first client is the next, and the one just served goes to the end.
  const waiting = new Map<string, Set<() => void>>();
  const held = new Map<string, number>();
  let free = slots;

  function mayEnter(clientId: string): boolean {
    return free > 0 && (clientId === unlimited || (held.get(clientId) ?? 0) < most);
  }

  function enter(clientId: string): void {
    free -= 1;
    held.set(clientId, (held.get(clientId) ?? 0) + 1);
  }

  function leave(clientId: string): void {
    free += 1;
    const left = (held.get(clientId) ?? 1) - 1;
    if (left === 0) held.delete(clientId);
    else held.set(clientId, left);
    letIn();
  }

  function letIn(): void {
    for (const [clientId, line] of waiting) {
      if (free === 0) return;
      if (!mayEnter(clientId)) continue;
      const [next] = line;
      line.delete(next!);
      waiting.delete(clientId);
      if (line.size > 0) waiting.set(clientId, line);
      enter(clientId);
      next!();
    }
  }

  function waitInLine(clientId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = waiting.get(clientId) ?? new Set();
      const timer = setTimeout(() => {
        line.delete(next);
        if (line.size === 0) waiting.delete(clientId);
        reject(databaseBusy(new Error('No connection became free in time.')));
      }, timeoutMs);
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.set(clientId, line.add(next));
    });
  }

  return {
    async run(clientId, work) {
      if (mayEnter(clientId)) enter(clientId);
      else await waitInLine(clientId);
      try {
        return await work();
      } finally {
        leave(clientId);
      }
    },
  };
}
