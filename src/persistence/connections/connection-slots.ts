import { createFairQueue } from '../../kernel/concurrency/fair-queue.ts';
import { databaseBusy } from './failures.ts';

/** Who may use a connection of this process next. */
export type ConnectionSlots = {
  /**
   * Runs `work` when the client gets a slot.
   * @throws DomainError `DATABASE_BUSY` when that is not within the time
   */
  run<T>(clientId: string, work: () => Promise<T>): Promise<T>;
  /** How many wait for a slot now. */
  waiting(): number;
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
  const queue = createFairQueue<() => void>();

  function mayEnter(clientId: string): boolean {
    return queue.used < slots && (clientId === unlimited || queue.usedBy(clientId) < most);
  }

  function leave(clientId: string): void {
    queue.use(clientId, -1);
    letIn();
  }

  function letIn(): void {
    while (queue.used < slots) {
      const clientId = queue.next(mayEnter);
      if (clientId === undefined) return;
      const [enter] = queue.take(clientId, 1);
      queue.use(clientId, 1);
      enter!();
    }
  }

  function wait(clientId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.remove(clientId, enter);
        reject(databaseBusy(new Error('No connection became free in time.')));
      }, timeoutMs);
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.add(clientId, enter);
    });
  }

  return {
    waiting: () => queue.waiting().length,
    async run(clientId, work) {
      if (mayEnter(clientId)) queue.use(clientId, 1);
      else await wait(clientId);
      try {
        return await work();
      } finally {
        leave(clientId);
      }
    },
  };
}
